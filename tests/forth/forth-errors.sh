#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors in a Forth program say where they are, and nothing reaches the host: not stacks that leave their bounds,
# loops, writes over the system, or names of files that lead out of the folder given.
set -u
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"
whole() { "$vm" --cycles=30000000 "$@" 2>&1 </dev/null | tr '\n' '|'; }
# Without the source line, its mark, and the words that were running.
run() { "$vm" --cycles=30000000 "$@" 2>&1 </dev/null | sed '/^   included/p; /^   /d' | tr '\n' '|'; }

# Where: word, file and line, and from where the file was included.
mkdir inc
printf '\n\n: fine 1 2 ;\ninclude inner.fth\n' >inc/middle.fth
printf '\n: wrong\n   dup frobnicate ;\n' >inc/inner.fth
printf '\ninclude middle.fth' >inc/outer.fth
is 'the word, its file and line, and the files around it' \
	'inner.fth:3: frobnicate: undefined word|   included at middle.fth:4|   included at outer.fth:2|' "$(run --dir inc outer.fth)"
is 'a missing file' 'outer.fth:1: none.fth: no such file|' "$(echo 'include none.fth' >outer.fth; run outer.fth)"
is 'a text has the place of the code that evaluates it' 'outer.fth:2: frob: undefined word|' \
	"$(printf '\ns" 1 2 frob" evaluate\n' >outer.fth; run outer.fth)"
is 'a message of ABORT"' 'outer.fth:3: t: too bad|' "$(printf ': t abort" too bad" ;\n\n1 t\n' >outer.fth; run outer.fth)"
is 'a block' 'block 5: frob: undefined word|' \
	"$(run -e '5 block dup 1024 blank s" 1 drop frob" rot swap move update  5 load')"
is 'control structures that do not match' 'outer.fth:2: ;: control structure mismatch|' "$(printf ': t\n  1 if ;\n' >outer.fth; run outer.fth)"
is 'files that include themselves' 'outer.fth:1: include: input sources nested too deep|' \
	"$(echo 'include outer.fth' >outer.fth; run outer.fth)"
is 'an unknown code' 'throw: exception 4711 |' "$(run -e '4711 throw')"
is 'a line that is too long' 'outer.fth:2: line longer than 254 characters|' \
	"$(awk 'BEGIN { print ""; for (i = 0; i < 300; i++) printf "x"; print "" }' >outer.fth; run outer.fth)"

# The line with a mark, and the words that were running; of the system's words those that the program
# called.
is 'a mark below the word' 'outer.fth:2: frobnicate: undefined word|   T1 2 frobnicate dup|   T    ^^^^^^^^^^|' \
	"$(printf '\n\t1 2 frobnicate dup\n' >outer.fth; whole outer.fth | tr '\t' T)"
printf ': t 1 0 / ;\n: u\n  t ;\n\nu .\n' >outer.fth
is 'a backtrace: a primitive' 'outer.fth:5: u: division by zero|   u .|   ^|   in / (divide.s:N)|   in t (outer.fth:1)|   in u (outer.fth:2)|' \
	"$(whole outer.fth | sed 's/s:[0-9]*/s:N/')"
is 'of a text in a file' ': outer.fth:5: |   in u (outer.fth:2)|' "$(whole outer.fth | sed 's/.*\(outer.fth:5: \).*\(   in u .*\)/: \1|\2/')"
printf ': t 1 ;\nx\000y foo\n' >outer.fth
is 'a byte 0 in the line' "outer.fth:2: x: undefined word|   x y foo|   ^|" "$(whole outer.fth)"
trace() { "$vm" --cycles=30000000 "$@" 2>&1 </dev/null | sed -n 's/([a-z]*\.s:[0-9]*)/(S)/g; /^   in /p; /^   …/p' | tr '\n' '|'; }
is 'a backtrace: THROW' '   in t|   in u|' "$(trace -e ': t -4711 throw ; : u t ; u')"
is 'a backtrace: a colon definition of the system' '   in included (S)|   in t|' "$(trace -e ': t s" nowhere" included ; t')"
is 'a backtrace: through EXECUTE, a deferred word and DOES>' '   in d|   in t|   in u|   in v|' \
	"$(trace -e "defer e : d create , does> @ throw ; -4711 d x : t x ; : u e ; ' t is e : v ['] u execute ; v")"
is 'a backtrace: over loops, what >R left and locals' '   in c!|   in t|   in u|' \
	"$(trace -e 'code c! $00 c, end-code : t {: a b :} 3 0 do 5 >r 1 2 c! r> drop loop ; : u 7 >r 9 8 t r> drop ; u')"
is 'a backtrace: a caller that was dropped' '   in / (S)|   in t|   in v|' "$(trace -e ': t r> drop 1 0 / ; : u t 1 ; : v u 2 ; v')"
is 'a backtrace: what an interpreted text calls' '   in / (S)|   in t|   in evaluate (S)|   in u|' \
	"$(trace -e ': t 1 0 / ; : u s" t" evaluate ; u')"
is 'a backtrace: recursion' '   in t, N times|   in u|' "$(trace -e ': t recurse 1 ; : u t 2 ; u' | sed 's/1[01][0-9]/N/')"
is 'a backtrace: more than sixteen words' 17 "$(trace -e 'defer w : t w 1 ; : u t 2 ; '"' u is w u" | tr '|' '\n' | grep -c -e '^   in' -e '^   … and [0-9]* more')"
is 'a backtrace: of an error after one that was caught' '   in abs? (outer.fth:1)|' \
	"$(printf ': abs? throw ;\n: u -1 0 / ;\n'"' u catch drop 7 abs?"'\n' >outer.fth; trace outer.fth)"
is 'a backtrace: with --pure' "$(trace -e ': t 1 0 / ; : u t ; u')" "$(trace --pure -e ': t 1 0 / ; : u t ; u')"
is 'a backtrace of an application' 'division by zero|   in / (S)|   in app (app.fth:1)|' \
	"$(printf ": app 1 0 / ;\n' app turnkey app.img\n" >app.fth; "$vm" app.fth; whole --image=app.img | sed 's/([a-z]*\.s:[0-9]*)/(S)/g')"
is 'a name that leads out' '../x: file input or output error (the name leads out of --dir)|   include ../x|           ^^^^|' "$(whole -e 'include ../x')"

# Stacks and memory.
is 'underflow' 'drop: stack underflow|' "$(run -e '1 drop drop')"
is 'underflow in a loop' 't: stack underflow|' "$(run -e ': t begin drop again ; t')"
is 'overflow in a loop' 't: stack overflow|' "$(run -e ': t begin 1 again ; t')"
is 'infinite recursion' 't: return stack overflow|' "$(run -e ': t recurse 1 ; t')"
is 'infinite recursion of two' 't: return stack overflow|' "$(run -e 'defer u : t 1 >r u r> ; : v t 2 ; '"' v is u t")"
is 'which can be caught' '-5 7 ' "$(run -e ": t recurse 1 ; : u 7 >r ['] t catch . r> . ; u")"
is 'division by zero' '/: division by zero|' "$(run -e '1 0 /')"
is 'a huge ALLOT' 'allot: dictionary overflow|' "$(run -e '30000 allot')"
is 'a huge ALLOT backwards' 'allot: dictionary overflow|' "$(run -e '-30000 allot')"
is 'a dictionary that fills up' 't: dictionary overflow|' "$(run -e ': t begin 1 , again ; t')"
is 'a huge ALLOCATE' '-59 ' "$(run -e '-1 allocate . drop')"
is 'definitions without end' '-8 ' "$(run -e "warnings off : t begin s\" create x 2000 allot\" evaluate again ; ' t catch .")"
is 'a call of missing code' 'execute: invalid memory address|' "$(run -e '$f000 execute')"

is 'a loop without end, with a limit' 'vm-6502: out of cycles in t (outer.fth:2) at |1|' \
	"$(printf '\n: t begin 1 drop again ;\nt\n' >outer.fth; "$vm" --cycles=1000000 outer.fth 2>&1 | sed 's/in t+[0-9]*/in t/; s/at .*/at /' | tr '\n' '|'; "$vm" --cycles=1000000 outer.fth 2>out.txt; echo "$?|")"
is 'a jam' 'vm-6502: the processor jammed in t' "$(run -e 'code jam 2 c, end-code : t jam ; t' | sed 's/ (.*//; s/+.*//; s/: opcode.*//')"

# Whatever the guest does to itself, the emulator ends by itself, with a status and not by a signal.
ends() { # WHAT TEXT
	"$vm" --cycles=30000000 -e "$2" >out.txt 2>&1 </dev/null
	code=$?
	[ $code -lt 124 ] || [ $code -gt 159 ] && code=fine
	is "$1" fine "$code"
}
ends 'writes over the system' '$200 $7000 erase'
ends 'writes over NEXT' '$c8 20 0 fill'
ends 'writes over everything' '0 -1 255 fill'
ends 'writes over the devices' '$fe00 256 0 do i over + i swap c! loop'
ends 'garbage on the return stack' ': t 5 >r ; t'
ends 'a return stack that is thrown away' ': t begin 1 >r again ; t'
ends 'random tokens' ': t 3000 0 do i 7919 * 2/ $200 + execute loop ; t'
ends 'a runaway loop, stopped by --cycles' ': t begin again ; t'

# Files: nothing outside is read, written, made, renamed, deleted or even seen.
mkdir box outside box/sub
echo secret >outside/file
echo inside >box/inside
ln -s ../outside box/way
ln -s ../outside/file box/link
ln -s "$PWD/outside/file" box/absolute
ln -s inside box/near
ln -s sub/../sub box/inner
ln -s round box/round
mkfifo box/fifo
cat >probe.fth <<'F'
: ior  ( x ior -- ) dup if nip 0 .r else drop close-file drop ." opened" then space ;
: probe  ( addr u -- )
   2dup r/o open-file ior  2dup r/w open-file ior  2dup w/o create-file ior  2dup delete-file .
   2dup s" got" rename-file .  2dup s" inside" 2swap rename-file .  2dup file-status nip .
   ['] included catch . ;
F
probe() { # NAME: what each operation on it says, in a fresh copy of the folder
	rm -rf box && cp -a box.new box
	# shellcheck disable=SC2086
	$without "$vm" --cycles=30000000 --dir=box -I . -e 'include probe.fth' -e "s\" $1\" probe" 2>&1 </dev/null
}
mv box box.new
without=''
refused='-37 -37 -37 -37 -37 -37 -37 -37 '
# A link itself may be deleted, and renaming may make a file of its name; what it points to stays.
unlinked='-37 -37 -37 0 -38 0 0 -13 '
listed() { (cd outside && ls -lR . && cat file); }
before=$(listed)
beneath() { # where
	for name in ../outside/file sub/../../outside/file ./../outside/file way/file "$PWD/outside/file" way/new .. /; do
		is "nothing leads out of the folder: $name$1" "$refused" "$(probe "$name")"
	done
	is "nothing leads out of the folder: a link$1" "$unlinked" "$(probe link)"
	is "nothing leads out of the folder: an absolute link$1" "$unlinked" "$(probe absolute)"
	is "the outside is unchanged$1" "$before" "$(listed)"
	is "a link within the folder is followed$1" 'opened opened opened 0 -38 0 0 0 ' "$(probe near)"
	is "what is not a regular file is refused, without waiting$1" "$unlinked" "$(probe fifo)"
	is "a folder is not a file$1" '-37 -37 -37 -37 0 0 0 -13 ' "$(probe sub)"
}
beneath ''
others() {
	for name in sub/../inside ./sub//.././/near inner/../inside inner/new inner near/ inside/ inside/. sub/. sub/.. inner/.. \
		missing/../inside inside/../inside round round/x inner/../../outside/file inner/../way/file ... ''; do
		echo "$name: $(probe "$name")"
	done
}
by_kernel=$(others)
# Where the kernel cannot do it, the emulator does, with the same results.
for gives in ENOSYS EPERM; do
	if "$ZPROF_BUILD/tests/vm-6502/without_openat2" $gives true; then
		without="$ZPROF_BUILD/tests/vm-6502/without_openat2 $gives"
		beneath " (openat2 gives $gives)"
		is "names are resolved as the kernel does it (openat2 gives $gives)" "$by_kernel" "$(others)"
	else
		skip "names of files where openat2 gives $gives" "filters of system calls are not permitted here"
	fi
done
without=''
is 'saving outside is refused' 'save-system: file input or output error: ../x.img (the name leads out of --dir)|' "$(run --dir=box -e 'save-system ../x.img')"
is 'the folders of -I are read only' '-38 0|' "$(mkdir lib; echo '.( )' >lib/l.fth; run --dir=box -I lib -e 's" l.fth" r/w open-file nip . s" l.fth" r/o open-file nip . cr' | sed 's/ |/|/')"
finish
