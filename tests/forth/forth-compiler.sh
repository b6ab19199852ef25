#!/bin/sh
# SPDX-License-Identifier: MIT
# The compiler in Forth (vm-6502/compiler): each program prints what it prints when compiled by gcc; each wrong one is refused
# with the file, line and message that its second line has; the second version of each module makes the same code.
set -u
. "${0%/*}/../lib/golden.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
programs=$here/tests/forth/compiler
vm=$ZPROF_BUILD/vm-6502
compile() { # SOURCE RESULT OPTION...
	source=$1 result=$2
	shift 2
	"$vm" -I "$here/vm-6502/compiler" "$@" compiler.fth -- "$source" "$result"
}
for program in "$programs"/*.c; do
	name=$(basename "$program" .c)
	cp "$program" .
	gcc -std=gnu11 -w -fsigned-char -include "$programs/print.h" "$program" -o "$name" && "./$name" >wanted
	compile "$name.c" "$name.bin" && "$vm" --machine=flat --load=0400 --putc=f001 --until-loop --cycles=100000000 "$name.bin" >printed
	{ cat wanted; printf 'loop at'; } >wanted.all
	sed 's/loop at .*/loop at/' printed | head -c -1 | cmp - wanted.all && [ -s wanted ]
	tap $? "$name prints what it prints with gcc"
done
for program in "$programs"/wrong/*.c; do
	name=$(basename "$program")
	cp "$program" .
	sed -n '2s,^// *,,p' "$name" | sed "s/^/$name:/" >wanted
	compile "$name" wrong.bin >said 2>&1
	[ $? = 1 ] && cmp wanted said && [ ! -e wrong.bin ]
	tap $? "$name is refused: $(cat wanted)"
	sed 's/^/# /' said
done
all=0
for fast in fast-input fast-words fast-symbols; do
	for name in sort life calculator; do
		compile "$name.c" fast.bin -e "1 constant $fast" && cmp fast.bin "$name.bin" || all=1
	done
done
tap $all "the second versions of input, words and symbols make the same code"
"$vm" -I "$here/vm-6502/compiler" compiler.fth 2>said
[ $? = 1 ] && grep -q 'compiler.fth -- in.c out.bin' said
tap $? "without files it prints its usage"

# ---- the story: its figures, and both profilers in each table
#	GOLDEN_UPDATE=1 tests/run build forth-compiler      writes tests/golden/forth/compiler-talk.txt anew
mkdir talk
(cd talk && "$here/vm-6502/compiler/talk.sh" "$vm" "$here/vm-6502/compiler/five.c") >talk.txt
status=$?
[ $status = 0 ] || echo "talk.sh ends with status $status" >>talk.txt
golden_file "the story of make talk, to the cycle" forth/compiler-talk.txt talk.txt
sed -n '/^\$ make talk$/,/^```$/p' "$here/vm-6502/README.md" | grep -v '^\$\|^```$\|^…$\|^$' >shown
[ "$(wc -l <shown)" -gt 20 ] && ! grep -vxFf talk.txt shown
tap $? "the README shows lines of it"
awk '/counted the same NEXTs/ { tables++; good += $(NF - 3) < 4 } /since the beginning/ { sub(/.*beginning /, ""); saved = $1; changes++ }
	END { exit !(tables >= 6 && good == tables && changes == 3 && saved > 30) }' talk.txt
tap $? "the guest's profiler costs less than 4 times, and three changes save 30 percent"

# ---- the same in zprof: emulator, words and buckets in one graph
cp "$here/vm-6502/compiler/five.c" .
LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output="$PWD/five.zprof" "$vm" -I "$here/vm-6502/compiler" --zones=both --groups \
	--started -e 'profiling on' compiler.fth -- five.c five.bin >classic
awk '/^[0-8] / && NF == 6 { print $6, $4 }' classic | grep -v etc | sort >wanted
"$ZPROF_BUILD/zprof" groups --json --metric compiler five.zprof | awk '/"name":.*"calls"/ { split($0, q, "\"")
	match($0, /"nexts","self":[0-9]+/); print "[" q[4] "]", substr($0, RSTART + 15, RLENGTH - 15) }' | grep -v etc | sort >counted
[ "$(wc -l <wanted)" = 8 ] && cmp counted wanted
tap $? "zprof groups --metric compiler counts what the classic report does"
"$ZPROF_BUILD/zprof" graph --json five.zprof | sed -n 's/^{"id":\([0-9]*\),"name":"\([^"]*\)".*/\2/p' | sort -u >names
printf '%s\n' run_slices run one-statement next-word '[scanner]' | sort | comm -13 names - >missing
[ ! -s missing ]
tap $? "emulator, words and buckets are in one graph"
sed 's/^/# not there: /' missing
finish
