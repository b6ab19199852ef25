#!/bin/sh
# SPDX-License-Identifier: MIT
# Entries alone beside code without hooks, or with hooks of other kinds; functions left out; hooks asleep; registers; what is refused.
# (In one executable or library, the hooks of `--entries` and `--fentry` cannot be told apart.)
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
folder=$(cd "${0%/*}" && pwd)
hooks=$folder/../hooks
entries=$("$zprof" cflags --entries --cflags)
source=$("$zprof" cflags --cflags)
export LD_LIBRARY_PATH=$ZPROF_BUILD
unset ZPROF_RUN ZPROF_OPTIONS

record() { # PROGRAM [OPTIONS]
	rm -f profile
	ZPROF_OPTIONS=output=profile${2:+,$2} LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$1" >got
}
# `CALLER CALLEE CALLS` of each arc, sorted.
arcs() {
	"$zprof" graph --json profile | python3 -c '
import json, sys
told = json.load(sys.stdin)
names = {f["id"]: f["name"] for f in told["functions"]}
for a in told["arcs"]:
    print(names.get(a["caller"], "-"), names[a["callee"]], a["calls"])' | sort
}
calls() { # NAME
	"$zprof" report --json profile | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}

# A handler on a signal stack leaves out a function that is open. It stays a callee of interrupted(), not of gone(), which has returned.
gcc -O1 -I"$folder/../.." $entries "$folder/interrupted.c" -L"$ZPROF_BUILD" -lzprof -o interrupted && record ./interrupted
is "functions chosen in a handler: each stays where it was called" "- main 1,handler after 1,interrupted gone 1,interrupted handler 1,\
main interrupted 0,main outer 1,outer interrupted 1" "$(arcs | grep -v zprof | paste -sd,)"

# below() is called by above() itself 200 times (the sort: 500 comparisons, of two calls each), by between() 100 + 450 times, and twice in each of 300 calls of below_many().
for level in -O0 -O2; do
	for kinds in "entries none entries" "entries source entries" "source entries none" "entries entries entries"; do
		set -- $kinds
		for file in above between below; do
			case $1 in entries) flags=$entries ;; source) flags=$source ;; none) flags='-g' ;; esac
			gcc $level -fno-inline -fno-ipa-pure-const -fno-optimize-sibling-calls $flags -c "$folder/$file.c" -o $file.o || exit 1
			shift
		done
		gcc above.o between.o below.o -L"$ZPROF_BUILD" -lzprof -o program && ./program >expected
		record ./program
		is "$level, $kinds: it prints the same" "$(cat expected)" "$(cat got)"
		arcs >arcs
		is "$level, $kinds: above calls between" "$(case $kinds in *none\ entries) ;; *) echo 300 ;; esac)" "$(sed -n 's/^above between //p' arcs)"
		case $kinds in
		*none) continue ;;
		entries\ none*) is "$level, $kinds: what between calls is above's" "750 200" "$(echo $(sed -n 's/^above below //p; s/^above below_many //p' arcs))" ;;
		*) is "$level, $kinds: each has its own" "200 100 550 100" \
			"$(echo $(sed -n 's/^above below //p; s/^above below_many //p; s/^between below //p; s/^between below_many //p' arcs))" ;;
		esac
		is "$level, $kinds: a call from qsort is that of the function that called qsort" "100 $(calls compare)" "$(calls above) $(sed -n 's/^above compare //p' arcs)"
		"$zprof" report profile >text
		is "$level, $kinds: nothing had to be guessed" 0 "$(grep -c guessed text)"
	done
done

# Callers that are left out: what they call is their callers'.
record ./program only='above below below_many'
arcs >arcs
is "only=: what a function calls that is left out is its caller's" "1750 200" "$(echo $(sed -n 's/^above below //p; s/^above below_many //p' arcs))"
record ./program 'only=main compare below'
arcs >arcs
is "only=: across libc, too" "1000 500" "$(echo $(sed -n 's/^main compare //p; s/^compare below //p' arcs))"
"$zprof" sleep ./program >/dev/null && ./program >got
is "asleep, it prints the same" "$(cat expected)" "$(cat got)"
record ./program
arcs >arcs
is "woken as it begins, its calls are right" "200 100 550 100" \
	"$(echo $(sed -n 's/^above below //p; s/^above below_many //p; s/^between below //p; s/^between below_many //p' arcs))"

# Registers: vector and x87 ones, results in two registers, variadic functions, nested functions' r10.
for flags in -O2 "-O2 -fcf-protection=full -fno-pie"; do
	link=; case $flags in *no-pie*) link=-no-pie ;; esac
	gcc $flags $entries -c "$hooks/fentry.c" -o fentry.o && gcc $link fentry.o -o fentry -lm && gcc $flags $link "$hooks/fentry.c" -o plain -lm || exit 1
	./plain >expected
	./fentry >got
	is "$flags: not recorded, it prints the same" "$(cat expected)" "$(cat got)"
	record ./fentry
	is "$flags: recorded, it prints the same" "$(cat expected)" "$(cat got)"
	is "$flags: a hundred calls of each" "100 100 100 100 100 100 100 100 100" \
		"$(echo $(for f in many two both x87 turned doubled variadic tail last; do calls $f; done))"
	is "$flags: recursion left by longjmp" 5050 "$(calls deep)"
	for nested in "$flags" -O0; do
		gcc $nested -w $entries -c "$hooks/nested.c" -o nested.o && gcc $link nested.o -Wl,-z,execstack -o nested &&
			gcc $nested $link -w "$hooks/nested.c" -Wl,-z,execstack -o plain || exit 1
		record ./nested
		is "$nested: with nested functions it prints the same" "$(./plain)" "$(cat got)"
		is "$nested: calls of nested functions" "10 50 100 10" "$(echo $(for f in outer recursive inner aligned; do calls $f; done))"
		"$zprof" report profile >text
		is "$nested: nothing was guessed" 0 "$(grep -c guessed text)"
	done
done

# Turns of a main loop: the calls of each, as with hooks in pairs.
cat >turns.c <<'C'
#include <zprof.h>
__attribute__((noinline)) int leaf(int x) { volatile int y = x * 3; return y; }
__attribute__((noinline)) int mid(int x) { volatile int a = leaf(x); return a + leaf(x + 1); }
int main(void) { int s = 0; for (int f = 0; f < 20; f++) { for (int i = 0; i <= f; i++) s += mid(i); zprof_frame("turn"); } return s == 1; }
C
gcc -O2 $entries turns.c -o turns || exit 1
record ./turns history=full
in_turn() { # N: calls of mid and leaf
	"$zprof" report --json --frame "$1" profile | python3 -c '
import json, sys
calls = {f["name"]: f["calls"] for f in json.load(sys.stdin)["functions"]}
print(calls.get("mid"), calls.get("leaf"))'
}
is "calls in single turns of a main loop" "2 4, 19 38, 20 40" "$(in_turn 1), $(in_turn 18), $(in_turn 19)"

# What needs to know when functions end is refused, and the program runs.
for option in clock=exact frame=above tails=above; do
	rm -f profile
	ZPROF_OPTIONS=output=profile,$option LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./program >got 2>said
	is "$option is refused, with the remedy" "1 1" "$(grep -c "${option%%above}.*cflags --fentry" said) $(wc -l <got)"
done
finish
