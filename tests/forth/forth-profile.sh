#!/bin/sh
# SPDX-License-Identifier: MIT
# The host's profile of Forth words: who called whom, for every way a word can be left, natively and not, at no cost in
# guest cycles; primitives, the trace, and the listing of cells.
set -u
. "${0%/*}/../lib/golden.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
forth=$here/tests/forth
vm=$ZPROF_BUILD/vm-6502
profile=$here/tests/tools/vm_profile.sh

# ---- who calls whom
ways() { # PREFIX OPTION...
	prefix=$1
	shift
	printf 'leaf all\n' | "$profile" "$prefix.txt" "$vm" "$@" --zones=words -I "$forth" ways.fth
	grep '^: ' "$forth/ways.fth" | sed 's/^: \([^ ]*\).*/\1/' >names
	echo ':noname' >>names
	awk -f "$here/tests/tools/forth_arcs.awk" "$prefix.txt" | awk 'NR == FNR { ours[$1]; next }
		($1 in ours) && ($2 in ours || $2 ~ /^(catch|quit|throw|child)$/) || $1 == "child"' names - | grep -v NEXT | sort
}
ways native >native
golden_file "words left by EXIT, R> DROP, THROW, QUIT, EXECUTE, DOES>, IS, RECURSE, UNLOOP" forth/ways.txt native
ways pure --pure >pure
cmp native.txt pure.txt
tap $? "the same profile, to the cycle, when nothing runs natively"
awk 'NR == 1 { all = $1 } NR > 3 && !NF { exit } NR > 3 { self += $2; nexts += $4; if ($NF == "NEXT") took = $2 }
	END { exit !(self == all && took >= 34 * nexts && took < 35 * nexts) }' native.txt
tap $? "own cycles of all words, and of NEXT, are the cycles of the run"
printf '%s\n' ': long  30 0 do 30000 0 do i drop loop loop ;' ': twice  long long ;' twice >long.fth
for how in --pure --zones=words; do "$profile" "long.$how" "$vm" --zones=words "$how" long.fth; done
cmp long.--pure long.--zones=words && grep -q ' 5400248            2 - -  long$' long.--pure
tap $? "a word that runs millions of NEXTs and calls nothing"
for how in --pure --zones=words; do
	printf 'leaf all\n' | "$profile" primitives.txt "$vm" --primitives --zones=words "$how" -I "$forth" ways.fth
	mv primitives.txt "primitives.$how"
done
cmp primitives.--pure primitives.--zones=words
tap $? "the same profile of primitives, to the cycle, when nothing runs natively"
mv primitives.--pure primitives.txt
awk -f "$here/tests/tools/forth_arcs.awk" primitives.txt >arcs
grep -q '^loops (loop) 6$' arcs && grep -q '^peeks >r 2$' arcs && grep -q '^leaf drop ' arcs
tap $? "primitives are zones if asked for"

# ---- no guest cycles
bench=$forth/bench-fib.fth
{ echo '$9000 here - allot'; cat "$bench"; } >fib.fth
cycles() { "$vm" "$@" --registers fib.fth | sed -n 's/.*cycle \([0-9]*\)$/\1/p'; }
cycles >without
{
	for how in --zones=both --zones=buckets --primitives --zones=cells; do
		"$profile" tables "$vm" $how --registers fib.fth | sed -n 's/.*cycle \([0-9]*\)$/\1/p'
	done
	cycles --trace=words:t
} | sort -u | cmp - without
tap $? "a run takes the same cycles watched in any way, or not at all"

# ---- cells
cells() { # LISTING OPTION...
	listing=$1
	shift
	"$profile" cells.tables "$vm" --zones=cells --listing="$listing" "$@" fib.fth
}
cells cells.lst
"$ZPROF_BUILD/zprof" annotate --file cells.lst cells.tables.zprof | sed '1,/^ line/d' >cells.txt
awk '/: fib /{ on = 1 } on' cells.txt | sed 's/^ *[0-9]* //; s/ [0-9A-F]\{4\}  / /; s/ [0-9A-F]\{4\}$//' >cells
golden_file "runs and cycles of each cell, beside the words decompiled" forth/cells.txt cells
awk 'NR > 3 && !NF { exit } NR > 3 && $NF != "(root)" { runs += $5; nexts += $4; cycles += $2 } END { print runs, nexts, cycles }' cells.tables >sums
"$profile" own.txt "$vm" --zones=words fib.fth
awk 'NR == 1 { cycles = $1 } NR > 3 && !NF { exit } NR > 3 { runs += $4 } END { print runs, cycles }' own.txt >all
awk 'NR == FNR { r = $1; n = $2; c = $3; next } { exit !(r - $1 <= 1 && r >= $1 && n == r && $2 == c) }' sums all
tap $? "cells have all NEXTs, the first included, which is in no word, and all cycles"
cp cells.tables fast.tables
cells pure.lst --pure
cmp cells.lst pure.lst && cmp fast.tables cells.tables
tap $? "the same cells when nothing runs natively"
"$vm" --zones=cells fib.fth 2>said.cells
grep -q '^vm-6502: --zones=cells is for zprof' said.cells
tap $? "cells without zprof are refused"
LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=clock=exact,output=$PWD/exact.zprof "$vm" --zones=cells fib.fth 2>said.cells
[ $? = 1 ] && grep -q '^vm-6502: a listing needs zprof to record by samples' said.cells
tap $? "and under the exact clock"

# ---- a word that is defined anew in each turn of a loop, and one that takes the place of another
printf '%s\n' ': turn  s" : fun 1 drop ;  fun" evaluate ;' ': turns  30 0 do turn loop ;' 'warnings off turns' >anew.fth
"$profile" anew.txt "$vm" anew.fth
[ "$(awk 'NR > 3 && !NF { exit } $NF == "fun" { print $5 }' anew.txt)" = 30 ]
tap $? "a word that is lent anew in each turn of a loop is one zone"
printf '%s\n' 'variable seven  : seven! 7 seven ! ;' 'marker gone  : old 5 ; : t old old drop drop dup drop ;  1 t drop  gone' \
	': new  1 2 + drop ; : t new new new 2dup 2drop ;  1 2 t 2drop  seven!' >again.fth
"$profile" again.txt "$vm" --primitives --zones=words again.fth
awk -f "$here/tests/tools/forth_arcs.awk" again.txt >arcs
grep -q '^t 2dup 1$' arcs && grep -q '^t old 2$' arcs && grep -q '^seven! seven 1$' arcs
tap $? "primitives of words that were replaced"

# ---- trace
"$vm" --trace=words:trace.txt -e ': t 2 0 do i drop loop ; : u t ; u bye'
awk '$4 == "t" && !on { on = 1; depth = $3 } on { print $3 - depth, $4 } $4 == "exit" && on { exit }' trace.txt >trace
golden_file "a line for each NEXT, with its depth" forth/trace.txt trace
awk 'NR > 1 && ($1 != last + 1 || $2 <= cycle) { bad = 1 } { last = $1; cycle = $2 } END { exit bad || NR < 1000 }' trace.txt
tap $? "NEXTs and cycles of the trace go up"

# ---- messages
printf 'x' >raw.img
"$vm" --image=raw.img --load=200 --zones=words --cycles=10 2>said.image
grep -q '^vm-6502: there is no Forth here' said.image
tap $? "an image that is not the Forth's is refused by name"
"$vm" --zones=verbs 2>said.zones
[ $? = 2 ] && grep -q "^vm-6502: there are no zones 'verbs': words" said.zones
tap $? "wrong zones are named"
finish
