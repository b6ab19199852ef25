#!/bin/sh
# SPDX-License-Identifier: MIT
# The same program on sim65 (cc65) and on vm-6502: the same checksum of what it computed, as exit status and as A, and the
# same cycles, of which sim65 leaves out the last JSR. Programs of C's: arguments, files, exit status.
here=$(cd "$(dirname "$0")/../vm6502" && pwd)
ca65 -I "$here/bench" "$here/cmos.s" -o cmos.o && ld65 -C "$here/bench/sim65.cfg" cmos.o -o cmos.sim || exit 1
theirs=$(sim65 -c cmos.sim)
status=$?
ours=$("$ZPROF_BUILD/vm-6502" --machine=flat --cpu=65c02 --skip=12 --load=400 --stop=fff9 --registers cmos.sim)
wanted="stopped at fff9 after $((${theirs%% *} + 6)) cycles
A $(printf %02x $status) "
case "$ours" in
"$wanted"*) echo "ok 1 - 65C02: as sim65" ;;
*)
	printf 'sim65: %s, status %s\n%s\n' "$theirs" "$status" "$ours" | sed 's/^/# /'
	echo "not ok 1 - 65C02: as sim65"
	;;
esac
n=1
is() { # WHAT WANTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		printf 'wanted: %s\n   got: %s\n' "$2" "$3" | sed 's/^/# /'
	fi
}
vm=$ZPROF_BUILD/vm-6502
for target in sim6502 sim65c02; do
	cp "$here/sim65-files.c" . && cl65 -t $target -O -o prog sim65-files.c || exit 1
	mkdir -p theirs ours
	echo secret >outside
	ln -sf .. ours/way
	theirs=$(cd theirs && echo input | sim65 ../prog one 'two three' 2>&1)
	theirs_status=$?
	rm -f new # sim65 confines nobody
	ours=$(cd ours && echo input | "$vm" ../prog one 'two three' 2>&1)
	ours_status=$?
	is "$target: a C program's arguments, files and input, as sim65" "$(echo "$theirs" | sed '/^[-o][-o][-o][-o]$/d')" \
		"$(echo "$ours" | sed '/^[-o][-o][-o][-o]$/d')"
	is "$target: its exit status" "$theirs_status 43" "$ours_status 43"
	is "$target: no name leads out of the folder" '----' "$(echo "$ours" | grep '^[-o][-o][-o][-o]$')"
	is "$target: nor makes anything there" 'made.txt way' "$(ls ours new 2>/dev/null | grep -v : | xargs)"
	rm -rf theirs ours
done
is "--dir, and options behind --" '1 -e|2 --dir' "$(mkdir d; echo | "$vm" --dir=d prog -- -e --dir 2>&1 | head -2 | paste -sd '|')"
is "the file was made there" 'one' "$(head -1 d/made.txt)"
head -c 100 prog >part
printf 'sim65\003' >wrong
is 'a program of another version' "vm-6502: 'wrong' is no program of cl65 -t sim6502 (1)" "$("$vm" wrong 2>&1) ($("$vm" wrong >/dev/null 2>&1; echo $?))"
is "a program's cycles can be limited" 1 "$("$vm" --cycles=500 prog >/dev/null 2>&1; echo $?)"
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
"$vm" --symbols=sum.dbg --symbols=sum.lab --profile=profile --source=lines sum
is 'functions have the names that C knows, and helpers those of the library' 'callmain 1|add 100|tosmuleax 100' \
	"$(awk '/^ *%/ { table++ } table == 1 && /main$|add$|tosmuleax$/ { print $5, $4 }' profile | sort -k 2,2n -k 1,1 | paste -sd '|')"
is 'lines of C stand for what they were made into' '100|1' "$(awk '/sum \+=/ || /return 0/ { print $1 }' lines | paste -sd '|')"
echo "1..$n"
