#!/bin/sh
# SPDX-License-Identifier: MIT
# The host's profile of Forth words: who called whom, for every way a word can be left, natively and not, at no cost in
# guest cycles; primitives, the trace, and the listing of cells.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
forth=$here/tests/forth
golden=$here/tests/golden/forth
vm=$ZPROF_BUILD/vm-6502
n=0
tap() { # STATUS WHAT
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
same() { # GOLDEN FILE WHAT
	[ -n "${GOLDEN_UPDATE:-}" ] && cp "$2" "$golden/$1"
	diff "$golden/$1" "$2" >difference
	tap $? "$3"
	sed 's/^/# /' difference | head -20
}

# ---- who calls whom
ways() { # PREFIX OPTION...
	prefix=$1
	shift
	printf 'leaf all\n' | "$vm" "$@" --zones=words --profile="$prefix.txt" -I "$forth" ways.fth
	grep '^: ' "$forth/ways.fth" | sed 's/^: \([^ ]*\).*/\1/' >names
	echo ':noname' >>names
	awk -f "$here/tests/tools/forth_arcs.awk" "$prefix.txt" | awk 'NR == FNR { ours[$1]; next }
		($1 in ours) && ($2 in ours || $2 ~ /^(catch|quit|throw|child)$/) || $1 == "child"' names - | grep -v NEXT | sort
}
ways native >native
same ways.txt native "words left by EXIT, R> DROP, THROW, QUIT, EXECUTE, DOES>, IS, RECURSE, UNLOOP"
ways pure --pure >pure
cmp native.txt pure.txt
tap $? "the same profile, to the cycle, when nothing runs natively"
awk 'NR == 1 { all = $1 } NR > 3 && !NF { exit } NR > 3 { self += $2; nexts += $4; if ($NF == "NEXT") next_calls = $5 }
	END { exit !(self == all && nexts == next_calls) }' native.txt
tap $? "own cycles of all words, and of NEXT, are the cycles of the run"
printf '%s\n' ': long  30 0 do 30000 0 do i drop loop loop ;' ': twice  long long ;' twice >long.fth
for how in --pure --zones=words; do "$vm" --zones=words --profile="long.$how" "$how" long.fth; done
cmp long.--pure long.--zones=words && grep -q ' 5400248            2  long$' long.--pure
tap $? "a word that runs millions of NEXTs and calls nothing"
for how in --pure --zones=words; do
	printf 'leaf all\n' | "$vm" --primitives --profile=primitives.txt "$how" -I "$forth" ways.fth
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
for how in --profile=p --zones=buckets --annotate=a --trace=words:t --primitives; do
	cycles --zones=both $how
done | sort -u | cmp - without
tap $? "a run takes the same cycles watched in any way, or not at all"

# ---- cells
"$vm" --annotate=cells.txt fib.fth
awk '/: fib /{ on = 1 } on' cells.txt | sed 's/ [0-9A-F]\{4\}  / /; s/ [0-9A-F]\{4\}$//' >cells
same cells.txt cells "runs and cycles of each cell, beside the words decompiled"
awk 'NR > 1 && $1 ~ /^[0-9]+$/ { runs += $1; cycles += $2 } END { print runs, cycles }' cells.txt >sums
"$vm" --profile=own.txt --zones=words fib.fth
awk 'NR == 1 { cycles = $1 } NR > 3 && !NF { exit } NR > 3 { runs += $4 } END { print runs, cycles }' own.txt >all
awk 'NR == FNR { r = $1; c = $2; next } { exit !($1 == r && $2 - c < 1000 && $2 >= c) }' sums all
tap $? "cells have all NEXTs, and all cycles except those before the first"

printf '%s\n' ': inner 20000 0 do loop ; : outer 60 0 do inner loop ; : quick 0 do loop ;' 'outer outer 3 quick 2 quick 7 quick' >long.fth
"$vm" --profile=long.txt long.fth && "$vm" --zones=words --ticks=as-next --profile=longer.txt long.fth
cmp long.txt longer.txt && awk '$8 == "quick" { exit !($6 == $7 - 5 * 90 && $6 == 440) }' long.txt
tap $? "cycles of the shortest and the longest call, of long ones too, as when each NEXT is looked at"

"$vm" --pure --annotate=pure.txt fib.fth
cmp pure.txt cells.txt
tap $? "the same cells when nothing runs natively"
"$vm" --annotate=with.txt --profile=/dev/null --primitives fib.fth
cmp with.txt cells.txt
tap $? "the same cells when primitives are zones"
printf '%s\n' 'variable seven  : seven! 7 seven ! ;' 'marker gone  : old 5 ; : t old old drop drop dup drop ;  1 t drop  gone' \
	': new  1 2 + drop ; : t new new new 2dup 2drop ;  1 2 t 2drop  seven!' >again.fth
"$vm" --profile=again.txt --primitives again.fth && "$vm" --profile=slow.txt --primitives --trace=words:t again.fth
# A primitive's shortest and longest call are known only when each NEXT is looked at.
awk 'NF >= 8 { $6 = $7 = "" } { print }' again.txt | sort >again
awk -f "$here/tests/tools/forth_arcs.awk" again.txt >arcs
awk 'NF >= 8 { $6 = $7 = "" } { print }' slow.txt | sort | cmp - again && grep -q '^t 2dup 1$' arcs && grep -q '^t old 2$' arcs && grep -q '^seven! seven 1$' arcs
tap $? "primitives of words that were replaced, as when each NEXT is looked at"

# ---- trace
"$vm" --trace=words:trace.txt -e ': t 2 0 do i drop loop ; : u t ; u bye'
awk '$4 == "t" && !on { on = 1; depth = $3 } on { print $3 - depth, $4 } $4 == "exit" && on { exit }' trace.txt >trace
same trace.txt trace "a line for each NEXT, with its depth"
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
echo "1..$n"
