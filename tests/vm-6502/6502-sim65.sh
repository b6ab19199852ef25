#!/bin/sh
# SPDX-License-Identifier: MIT
# The same program on sim65 (cc65) and on vm-6502: the same checksum of its results, as exit status and in A, and the same
# cycles, except that sim65 leaves out the last JSR. C programs: arguments, files, exit status.
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
ca65 -I "$here/bench" "$here/cmos.s" -o cmos.o && ld65 -C "$here/bench/sim65.cfg" cmos.o -o cmos.sim || exit 1
theirs=$(sim65 -c cmos.sim)
status=$?
ours=$("$ZPROF_BUILD/vm-6502" --machine=flat --cpu=65c02 --skip=12 --load=400 --stop=fff9 --registers cmos.sim)
wanted="stopped at fff9 after $((${theirs%% *} + 6)) cycles
A $(printf %02x $status) "
[ "${ours#"$wanted"}" != "$ours" ]
tap $? "65C02: as sim65" || printf 'sim65: %s, status %s\n%s\n' "$theirs" "$status" "$ours" | sed 's/^/# /'
vm=$ZPROF_BUILD/vm-6502
for target in sim6502 sim65c02; do
	cp "$here/sim65-files.c" . && cl65 -t $target -O -o prog sim65-files.c || exit 1
	mkdir -p theirs ours
	echo secret >outside
	ln -sf .. ours/way
	theirs=$(cd theirs && echo input | sim65 ../prog one 'two three' 2>&1)
	theirs_status=$?
	rm -f new # sim65 does not confine programs
	ours=$(cd ours && echo input | "$vm" ../prog one 'two three' 2>&1)
	ours_status=$?
	is "$target: a C program's arguments, files and input, as sim65" "$(echo "$theirs" | sed '/^[-o][-o][-o][-o]$/d')" \
		"$(echo "$ours" | sed '/^[-o][-o][-o][-o]$/d')"
	is "$target: its exit status" "$theirs_status 43" "$ours_status 43"
	is "$target: no name leads out of the folder" '----' "$(echo "$ours" | grep '^[-o][-o][-o][-o]$')"
	is "$target: nor creates anything there" 'made.txt way' "$(ls ours new 2>/dev/null | grep -v : | xargs)"
	rm -rf theirs ours
done
is "--dir, and options behind --" '1 -e|2 --dir' "$(mkdir d; echo | "$vm" --dir=d prog -- -e --dir 2>&1 | head -2 | paste -sd '|')"
is "the file was made there" 'one' "$(head -1 d/made.txt)"
head -c 100 prog >part
printf 'sim65\003' >wrong
is 'a program of another version' "vm-6502: 'wrong' is not a program of cl65 -t sim6502 (1)" "$("$vm" wrong 2>&1) ($("$vm" wrong >/dev/null 2>&1; echo $?))"
is "a program's cycles can be limited" 1 "$("$vm" --cycles=500 prog >/dev/null 2>&1; echo $?)"
# Calls that programs of a cc65 newer than the installed one make, memory, and the counter.
ca65 "$here/sim65-calls.s" -o calls.o && ld65 -t none calls.o -o calls || exit 1
# A stack that lies where the counter would be is memory: counts down from $fff0 and sums up what it wrote.
cat >above.s <<'S'
	.byte "sim65", 2, 0, $80
	.word $0200, start
	.org $0200
start:	ldx #$30
:	txa
	sta $ffbf,x
	dex
	bne :-
	ldx #$30
	lda #0
	clc
:	adc $ffbf,x
	dex
	bne :-
	jmp $fff9
S
ca65 above.s -o above.o && ld65 -t none above.o -o above || exit 1
is 'a stack where the counter would be' $((48 * 49 / 2 % 256 + 4)) "$("$vm" --cycles=100000 above; echo $?)"
mkdir -p box beyond
: >beyond/x
ln -s ../beyond box/way
is 'seek, remove, errno, memory and the counter' '100' "$("$vm" --dir=box --cycles=100000 calls; echo $?)"
is 'what was removed is gone, and what is outside is there' 'x|way' "$(ls box beyond | grep -v : | xargs | tr ' ' '|')"
cat >sum.c <<'C'
#include <stdio.h>
static unsigned long sum;
static void add(unsigned n)
{
	sum += (unsigned long)n * n;
}
int main(void)
{
	unsigned i;
	for (i = 1; i <= 100; i++)
		add(i);
	return 0;
}
C
cl65 -t sim6502 -g -Wl --dbgfile,sum.dbg -Ln sum.lab -o sum sum.c || exit 1
profile=$here/../tools/vm_profile.sh
"$profile" profile "$vm" --symbols=sum.dbg --symbols=sum.lab sum
is 'functions have their names in C, and helpers those of the library' 'callmain 1|main 1|add 100|tosmuleax 100' \
	"$(awk 'NR > 3 && !NF { exit } /main$|add$|tosmuleax$/ { print $7, $4 }' profile | sort -k 2,2n -k 1,1 | paste -sd '|')"
"$ZPROF_BUILD/zprof" annotate --file sum.c profile.zprof | sed '1,/^ line/d' | tr -d , >lines
is 'a line has the calls made from it, with their cycles' 'yes' \
	"$(awk '/add\(i\)/ { line = $3; calls = $2 } NR == FNR { next } $7 == "add" && !n++ { added = $3 } END { good = line == added && calls == "x100"; print good ? "yes" : line " " calls " " added }' lines profile)"
"$profile" folded "$vm" --symbols=sum.dbg --symbols=sum.lab --helpers=folded sum
is 'helpers folded: they are not zones, and the sum is the same' "main add same total of add" \
	"$(awk 'FNR == 1 { all[NR == FNR] = $1 } FNR > 3 && !NF { tables[FILENAME]++ } tables[FILENAME] { next }
		NR == FNR && $7 == "add" { total = $3 } NR != FNR && /main$|add$|tosmuleax$/ && $7 != "callmain" { seen = $7 " " seen; if ($7 == "add") own = $2 }
		END { print seen (all[0] == all[1] ? "same" : "other"), own == total ? "total of add" : own " " total }' profile folded |
		sed 's/ *$//')"
"$profile" cells "$vm" --symbols=sum.dbg --symbols=sum.lab --helpers=folded --zones=cells --listing=folded.lst sum
is 'helpers folded: an instruction has the cycles of those that it calls' 'yes' \
	"$(awk 'NR == FNR { if (/tosmuleax$/ && NF == 7) helper = $3; next } $7 == "add+22" { print $2 == helper + 6 * $4 ? "yes" : $2 " " helper; exit }' profile cells)"
is 'and together all cycles of the run' "$(awk 'NR == 1 { print $1 }' profile)" "$(awk 'NR > 3 && !NF { exit } NR > 3 { sum += $2 } END { print sum }' cells)"
LD_PRELOAD="$ZPROF_BUILD/libzprof.so" ZPROF_OPTIONS=output="$PWD/sum.zprof" "$vm" --symbols=sum.dbg --symbols=sum.lab sum
is 'functions of C have their file and line for zprof annotate' '3 100|8 1' \
	"$("$ZPROF_BUILD/zprof" annotate --file sum.c sum.zprof | awk '/^ line/ { on = 1; next } on && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ { print $1 - ($1 == 4) - ($1 == 10) * 2, $2 }' | paste -sd '|')"
cat >tail.c <<'C'
static unsigned char left = 200;
static int last(void)
{
	return --left;
}
static int middle(void)
{
	return last();
}
static int again(int n)
{
	return n ? again(n - 1) + 1 : middle();
}
int main(void)
{
	while (left > 100)
		middle();
	return again(3) - 102;
}
C
cl65 -t sim6502 -O -g -Wl --dbgfile,tail.dbg -o tail tail.c || exit 1
"$profile" tail.txt "$vm" --symbols=tail.dbg tail
is 'the program ends' 0 $?
is 'functions that are jumped to are functions, and loops back to their beginning are not' 'again 4|last 101|main 1|middle 101' \
	"$(awk 'NR > 3 && !NF { exit } /main$|last$|middle$|again$/ && $7 != "callmain" { print $7, $4 }' tail.txt | sort | paste -sd '|')"
cp tail.txt.zprof tail.zprof
is 'zprof shows main, functions of C and cycles' 'last 101|main 1|middle 101' \
	"$("$ZPROF_BUILD/zprof" report --json tail.zprof | awk '/"group":"6502"/ || /"cycles"/ {
		split($0, q, "\""); match($0, /"calls":[0-9]+/)
		if (match($0, /"name":"(main|last|middle)"/) && /"cycles","self":[1-9]/) {
			name = substr($0, RSTART + 8, RLENGTH - 9); match($0, /"calls":[0-9]+/); print name, substr($0, RSTART + 8, RLENGTH - 8) } }' | sort | paste -sd '|')"
finish
