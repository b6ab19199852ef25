#!/bin/sh
# SPDX-License-Identifier: MIT
# program-entries-late.sh - a library whose functions end without a hook is loaded late, into a program that has hooks in pairs.
#
# Where calls are timed by the clock, or one by one (frame=, tails=), it is too late to follow the real stack at each call: the library's
# functions count as left without returning, and the program's own calls and times stay as they are. Where calls are only counted, they are
# followed.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
entries=$("$zprof" cflags --entries)
unset ZPROF_RUN ZPROF_OPTIONS

# In each of 20 calls, top() calls inner() and, through a pointer, the program's back(), 10 times each. Of 100 calls of skip(), every
# second one ends with a jump.
cat >plugin.c <<'C'
__attribute__((noinline)) static int inner(int x) { volatile int y = x; return y + 1; }
int top(int (*back)(int)) { volatile int s = 0; for (int i = 0; i < 10; i++) { s += inner(i); s += back(i); } return s; }
C
cat >program.c <<'C'
#include <dlfcn.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf out;
__attribute__((noinline)) static int leaf(int x) { volatile int y = x * 2; return y; }
__attribute__((noinline)) static int back(int x) { return leaf(x) + leaf(x + 1); }
__attribute__((noinline)) static int skip(int x) { if (x & 1) longjmp(out, 1); return x; }
int main(void)
{
	volatile int s = 0, i;
	for (i = 0; i < 5; i++) s += back(i);
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	int (*top)(int (*)(int)) = plugin ? (int (*)(int (*)(int)))dlsym(plugin, "top") : 0;
	if (!top) { puts(dlerror()); return 1; }
	for (i = 0; i < 20; i++) { s += top(back); s += leaf(i); }
	for (i = 0; i < 100; i++) if (!setjmp(out)) s += skip(i);
	printf("%d\n", s);
	return 0;
}
C
gcc -O2 -fno-inline -fPIC -shared $entries plugin.c -o plugin.so || exit 1

record() { # OPTIONS
	rm -f profile
	ZPROF_OPTIONS=output=profile,$1 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./program >got 2>said
}
# The calls of functions, and `CALLER-CALLEE CALLS` of all arcs.
calls() { # NAME...
	"$zprof" graph --json profile | python3 -c '
import json, sys
told = json.load(sys.stdin)
calls = {f["name"]: f["calls"] for f in told["functions"]}
print(*[calls.get(name) for name in sys.argv[1:]])' "$@"
}
arcs() {
	"$zprof" graph --json profile | python3 -c '
import json, sys
told = json.load(sys.stdin)
names = {f["id"]: f["name"] for f in told["functions"]}
print(", ".join(sorted("%s-%s %d" % (names[a["caller"]], names[a["callee"]], a["calls"]) for a in told["arcs"] if a["caller"] in names)))'
}
truth="back-leaf 410, main-back 5, main-leaf 20, main-skip 100, main-top 20, top-back 200, top-inner 200"
for kind in "" --fentry; do
	gcc -O2 -fno-inline -fno-ipa-cp -fno-ipa-icf $("$zprof" cflags $kind) program.c -o program -ldl || exit 1
	./program >expected || exit 1
	for options in clock=exact clock=count,frame=back clock=count,tails=back; do
		what="${kind:-source}, $options"
		record "$options"
		is "$what: it prints the same, and nothing is said" "$(cat expected) 0" "$(cat got) $(wc -l <said)"
		is "$what: calls" "20 200 205 430 100" "$(calls top inner back leaf skip)"
		is "$what: the library's calls, and the jumps, are left without returning" 1 "$("$zprof" report profile | grep -c '^Calls left without returning .*: 270$')"
		is "$what: the program's own calls have their callers" "back-leaf 410, main-back 5, main-leaf 20, main-skip 100" \
			"$(arcs | tr , '\n' | grep -v -e top -e inner | paste -s -d , | sed 's/^ //')"
		"$ZPROF_BUILD/tests/check_conserved" profile
		tap $? "$what: the sums hold to the tick"
	done
	is "${kind:-source}, clock=exact: the program's calls are timed by the clock" 1 "$(record clock=exact; "$zprof" report profile | grep -c 'by the clock')"
	record clock=count
	is "${kind:-source}, clock=count: each call has its caller" "$truth" "$(arcs)"
	is "${kind:-source}, clock=count: no caller is guessed" 0 "$("$zprof" report profile | grep -c guessed)"
done
finish
