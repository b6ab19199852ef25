#!/bin/sh
# SPDX-License-Identifier: MIT
# The second front end: -pg -mfentry -minstrument-return=call. Registers survive, calls are counted,
# and a program that is linked with the library but not recorded leaves no trace.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
programs=$(cd "$(dirname "$0")" && pwd)
source=$programs/fentry.c
export LD_LIBRARY_PATH=$ZPROF_BUILD
unset ZPROF_RUN ZPROF_OPTIONS

calls() { # NAME
	"$zprof" report --json profile | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}

for flags in -O2 "-O2 -fcf-protection=full -fno-pie"; do
	link=; case $flags in *no-pie*) link=-no-pie ;; esac
	gcc $flags -pg -mfentry -minstrument-return=call -c "$source" -o fentry.o || exit 1
	gcc $link fentry.o -L"$ZPROF_BUILD" -lzprof -o fentry -lm || exit 1
	gcc $flags $link "$source" -o plain -lm || exit 1
	./plain >expected
	rm -f zprof.out* profile gmon.out
	./fentry >got
	is "$flags: not recorded, it prints the same" "$(cat expected)" "$(cat got)"
	is "$flags: and leaves no file" "" "$(ls zprof.out* gmon.out 2>/dev/null)"
	ZPROF_OPTIONS=output=profile ./fentry >got
	is "$flags: recorded, it prints the same" "$(cat expected)" "$(cat got)"
	is "$flags: a hundred calls of each" "100 100 100 100 100 100 100 100 100" \
		"$(echo $(for f in many two both x87 turned doubled variadic tail last; do calls $f; done))"
	is "$flags: recursion left by longjmp" 5050 "$(calls deep)"
	gdb -q -batch -ex 'break compare' -ex 'ignore 1 100000' -ex run -ex 'info breakpoints' ./plain >gdb.out 2>&1
	is "$flags: compare as often as gdb counts" "$(sed -n 's/.*breakpoint already hit \([0-9]*\) times.*/\1/p' gdb.out)" "$(calls compare)"
	"$zprof" report profile >text
	is "$flags: every exit matched" 0 "$(grep -c 'matched no open zone' text)"
	rm -f profile
	ZPROF_OPTIONS=output=profile,check=1 ./fentry >got
	is "$flags: nor does the check of stacks disturb it" "$(cat expected)" "$(cat got)"
	rm -f profile
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=profile,only=many ./fentry >got
	is "$flags: only=many: many is recorded" 100 "$(calls many)"
	is "$flags: only=many: two is not" "" "$(calls two)"
done

# r10 is saved around the call of __fentry__; rbp keeps the program's value, whatever the library does
# with it.
for flags in -O0 -O2 "-O2 -fcf-protection=full -fno-pie"; do
	link=; case $flags in *no-pie*) link=-no-pie ;; esac
	gcc $flags -w -pg -mfentry -minstrument-return=call -c "$programs/nested.c" -o nested.o || exit 1
	gcc $link nested.o -L"$ZPROF_BUILD" -lzprof -Wl,-z,execstack -o nested || exit 1
	gcc $flags $link -w "$programs/nested.c" -Wl,-z,execstack -o plain || exit 1
	rm -f profile
	ZPROF_OPTIONS=output=profile ./nested >got
	is "$flags: with nested functions it prints the same" "$(./plain)" "$(cat got)"
	is "$flags: calls of nested functions" "10 50 100 10" "$(echo $(for f in outer recursive inner aligned; do calls $f; done))"
	"$zprof" graph profile >text
	is "$flags: nothing was lost, nothing put right" "" "$(sed -n '/^Calls left/,$p; /^What went wrong/,$p' text)"
	is "$flags: between them is only libc's sort, not the library" "1 1" "$(echo $(grep -c ' via ' text) $(grep -c ' via .*sort' text))"
done
finish
