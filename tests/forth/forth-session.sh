#!/bin/sh
# SPDX-License-Identifier: MIT
# The Forth from the outside: what its command line does, how it ends, saved systems and turn-key images.
set -u
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"
run() { # ARGUMENT...: output of both streams and the exit status
	"$vm" --cycles=300000000 "$@" 2>&1 </dev/null
	echo "($?)"
}
piped() { # TEXT ARGUMENT...
	text=$1; shift
	printf "$text" | "$vm" --cycles=300000000 "$@" 2>&1
	echo "($?)"
}
lines() { tr '\n' '|'; }

is 'bye ends with 0' '(0)' "$(run -e 'bye .( not reached)')"
is '(bye) ends with what is given' '(7)' "$(run -e '7 (bye) .( not reached)')"
is 'when all that was asked for is done, the status is 0' '3 (0)' "$(run -e '1 2 + .')"
is 'the command line leaves nothing on the stack' '0 1 (0)' "$(run -e 'depth .' -e 5 -e 'depth . drop')"
is '.s shows all, the deepest first' '<3> 1 2 3 (0)' "$(run -e '1 2 3 .s')"
is 'an error is 1' 'frob: undefined word|   frob|   ^^^^|(1)|' "$(run -e frob | lines)"
printf '\n\n  300 throw\n' >k.fth
is 'the bare kernel reports file, line, word and code' 'k.fth 0003 throw 012C |(1)|' "$(run --image="$ZPROF_BUILD/forth/kernel.img" k.fth | lines)"
is 'a definition without an end is reported' 'half: definition without an end|(1)|' "$(run -e ': half 1 2' | lines)"
mkdir temporary
TMPDIR=$PWD/temporary "$vm" --report -e ': reported 1 drop ; reported' -e '3 (bye)' -- --report >report.out 2>&1 </dev/null
is '--report: the status is the program'"'"'s' 3 $?
is 'and zprof shows its words, and who called them' '1 1' \
	"$(awk '/^% cycles/ { flat = 1 } /^index/ { flat = 0; graph = 1 } flat && $6 == "reported" { f++ } graph && / reported \[[0-9]*\]/ && /^\[/ { g++ } END { print f + 0, g + 0 }' report.out)"
is 'and nothing is left of it' '' "$(ls temporary)"
cat >shapes.fth <<'EOF'
\ shapes.fth: to be explained.

\ The square of a number,
\ which may overflow.
: square  ( n -- n*n ) dup * ;

: cube ( n -- n^3 )
   dup square * ;
: square  abort ;
EOF
is 'a word that takes the name of another is reported' 'shapes.fth:9: redefined square|redefined cube|(0)|' \
	"$(run shapes.fth -e ': cube ;' | lines)"
is 'unless warnings are off' '(0)|' "$(run -e 'warnings off' shapes.fth | lines)"
is 'not in another word list' '(0)|' "$(run -e 'wordlist set-current : dup ;' | lines)"
is 'help shows what sources say about a word' 'cube ( n -- n^3 )|square ( n -- n*n ) The square of a number,|(0)|' \
	"$(sed '/abort/d' shapes.fth >short.fth; run short.fth -e 'help cube help square' | lines)"
is 'and about the words of the system' 'rot ( x1 x2 x3 -- x2 x3 x1 )|locate ( "name" -- )  says where it was defined|(0)|' \
	"$(run -e 'help rot help LOCATE' | lines)"
printf '%s\n' '\	cubed quartic	( n1 -- n2 )	powers' ': quartic dup * dup * ;' >powers.fth
is 'and the list at the head of a file, of a library too' \
	'quartic ( n1 -- n2 )  powers|fpack ( -- addr )  A, rounded, to the float at Y|fcos ( F: r1 -- r2 )|(0)|' \
	"$(run powers.fth -e 'help quartic need floating help fpack help fcos' | lines)"
is 'of words that share an entry' 'k-down ( -- x )|(0)|' "$(run -e 'help k-down' | lines)"
is 'help for a word that was typed in is its name' 'typed|(0)|' "$(run -e ': typed ( -- ) ; help typed' | lines)"
is 'edit needs a terminal' 'square: unsupported operation' "$(run short.fth -e 'edit square' | head -1)"
is 'programs may clear the stacks' 'ab(0)' "$(run -e '1 2 .( a) $b0 sp!' -e '.( b)')"
echo '.( a)' >a.fth
echo '.( b)' >b.fth
is 'files and texts go in their order' 'axb(0)' "$(run a.fth -e '.( x)' b.fth)"
is 'arguments behind -- are for the program' 'one two 0 a(0)' "$(run -e '0 arg type space 1 arg type space 2 arg . drop' a.fth -- one two)"
is 'argument gives all that is asked for' '2 1 3 0 a(0)' "$(run -e ': k argument . 2drop ; 0 k 1 k 2 k 3 k' a.fth -- z)"

long=$(awk 'BEGIN { for (i = 0; i < 300; i++) printf "x" }')
is 'a text that is too long is not cut' 'vm-6502: put it into a file: a text of -e is longer than 255 bytes|(2)|' "$(run -e "$long" | lines)"
is 'nor is a name' 'vm-6502: the name of a file is longer than 255 bytes|(2)|' "$(run "$long" | lines)"
is 'an argument behind -- may be longer' '255 (0)' "$(run -e '0 arg nip .' -- "$long")"
is 'a pipe is read without prompt' '3 (0)' "$(piped '1 2 +\n. bye\n')"
is 'the end of the pipe ends the run' 'x(0)' "$(piped '.( x)')"
is 'an error in a pipe ends it' '1 |frob: undefined word|   1 . frob|       ^^^^|(1)|' "$(piped '1 . frob\n2 .\n' | lines)"
is 'quit goes to the console' 'ab(0)' "$(piped '.( b)\n' -e '.( a) quit .( not reached)')"
is 'main does what the command line says' 'xyxy(0)' \
	"$(run -e '[undefined] again? [if] variable again? [then]' -e '.( xy)  again? @ again? on 0= [if] (main) [then]' | sed 's/again?//')"
is 'start and cold restart with all that is defined' '12(0)' \
	"$(run -e '[undefined] again? [if] variable again?  again? off [then]' -e '1 again? +! again? @ 48 + emit  again? @ 2 < [if] cold [then]')"
is 'start restarts, too' 'ab(0)' \
	"$(run -e '[undefined] w [if] variable w  char a w ! [then]  w @ emit  1 w +!  w @ char c < [if] start [then]')"

run -e ': greet ." hello " ; 40 allocate throw drop  save-system greet.img' >/dev/null
is 'a saved system knows what was defined' 'hello (0)' "$(run --image=greet.img -e greet)"
is 'its heap is empty and works' '0 -1 (0)' "$(run --image=greet.img -e '100 allocate swap drop . memtop @ heap-end u< .')"
is 'its image can be saved again' 'hello hello (0)' \
	"$(run --image=greet.img -e ': twice greet greet ; save-system twice.img' >/dev/null; run --image=twice.img -e twice)"
is 'blocks are written before saving' 'A66 (0)' \
	"$(run -e '1 block char A swap c! update  save-system blocks.img' >/dev/null; run --image=blocks.img -e '1 block c@ emit  66 . ')"

cat >app.fth <<'F'
: failing  1 arg s" fail" compare 0= -13 and throw ;
: app  ." for " 0 arg type cr  failing  1 arg s" seven" compare 0= if 7 (bye) then ;
F
run app.fth -e "' app turnkey app.img" >/dev/null
is 'a turn-key image starts its word' 'for you|(0)|' "$(run --image=app.img -- you | lines)"
is 'its exit status is its own' 'for you|(7)|' "$(run --image=app.img -- you seven | lines)"
is 'its errors are reported' 'for you|undefined word|   in failing (app.fth:1)|   in app (app.fth:2)|(1)|' "$(run --image=app.img -- you fail | lines)"
is 'the parts: write-image (save) application start-application' 'for |(0)|' \
	"$(run app.fth -e "' app application !  ' start-application start-hook !  s\" parts.img\" (save)" >/dev/null; run --image=parts.img | lines)"
is 'the system that saved it goes on' 'ok(0)' "$(run app.fth -e "' app turnkey t.img .( ok)")"
is 'the prompt shows the state' ' ok|(0)|' "$(run -e prompt | lines)"
is 'an image that cannot be written is reported' '-38 0(0)' "$(run -e ": s s\" a/b\" (save) ; ' s catch . outdev@ 0 .r")"
mkdir -p root/bin root/share/zprof
cp "$vm" root/bin/vm-6502 && cp "$ZPROF_BUILD/forth.img" root/share/zprof/
is 'an installed image is found' '3 (0)' "$(root/bin/vm-6502 -e '1 2 + .'; echo "($?)")"
rm root/share/zprof/forth.img
is 'a missing image is reported' "vm-6502: cannot open '$PWD/root/bin/forth.img': No such file or directory|(1)|" \
	"$(root/bin/vm-6502 -e '1 2 + .' 2>&1 | lines; root/bin/vm-6502 2>out.txt; echo "($?)" | lines)"
finish
