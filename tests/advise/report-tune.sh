#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof tune`: which functions it would leave out, with which flags for which compiler; and that a program rebuilt with its flags
# has the same calls of all other functions. What hooks cost is made up here, so that it does not depend on the machine.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof

cat >prog.cc <<'END'
#include <vector>
#define APART __attribute__((noinline))
namespace ns {
struct A { int x; APART int get() const { return x; } APART int getter() const { return x + 1; } };
template <class T> APART T conv(T v) { asm volatile(""); return v + 1; }
}
namespace { APART int hidden(int x) { asm volatile(""); return x; } }
APART int aim(int x) { asm volatile(""); return x + 1; }
APART int host(int x) { auto inner = [](int y) APART { asm volatile(""); return y; }; return inner(x); }
APART int work(int x) { asm volatile(""); return aim(x) + hidden(x); }
int main(int argc, char **)
{
	ns::A a = {argc};
	std::vector<int> v;
	int sum = 0;
	for (int i = 0; i < 10; i++) {
		v.push_back(work(i));
		sum += a.get() + a.getter() + ns::conv(i) + int(ns::conv(1.0 * i)) + aim(i) + host(i);
	}
	return sum + int(v.size()) < 0;
}
END
cat >prog.c <<'END'
#define APART __attribute__((noinline))
APART int aim(int x) { __asm__ volatile(""); return x + 1; }
APART int claim(int x) { __asm__ volatile(""); return x + 2; }
APART int tiny(int x) { __asm__ volatile(""); return x; }
int main(int argc, char **argv) { (void)argv; int x = 0; for (int i = 0; i < 10; i++) x += aim(i) + claim(i) + tiny(argc); return x < 0; }
END

# A profile of ./prog in which each line of stdin, "NAME CALLS SELF" with NAME as nm -C has it, is a context below main.
made_profile() { # FILE
	nm -C prog >symbols
	{
		printf 'clock tsc 1000000000\nhooks 30000 20000 4000\nflags finished\ncommand ./prog\n'
		echo "module 1 $PWD/prog 0x10000000 0x20000000 0x10000000"
		printf 'thread 1 main 1\n'
		while IFS='|' read -r name rest; do
			address=$(awk -v name="$name" '{ line = $0; sub(/^[^ ]* [^ ]* /, "", line) } line == name { print $1; exit }' symbols)
			[ "$name" = main ] && indent='  ' || indent='    '
			echo "${indent}@1+0x$address $rest"
		done
	} >spec
	"$ZPROF_BUILD/tests/make_profile" "$1" <spec
}
calls() { # FILE: "calls name" of each function that ran, by what the real library counted
	rm -f zprof.out* && "$zprof" record ./prog 2>errors && "$zprof" report --json --module prog |
		sed -n 's/.*"name":"\([^"]*\)".*"calls":\([0-9]*\),"rec.*/\2 \1/p' | sort >"$1"
}
same_but() { # WHAT PATTERN...: after is before without the lines that match one of the patterns
	what=$1 && shift
	cp before rest
	for pattern; do grep -vE "$pattern" rest >smaller; cmp -s rest smaller && echo "# nothing is $pattern"; mv smaller rest; done
	cmp -s rest after && [ -s after ]
	tap $? "$what"
	cmp -s rest after || diff rest after | sed 's/^/# /'
}

gcc -O1 -g -finstrument-functions prog.c -o prog && calls before
made_profile c.prof <<'END'
main|1 900000
aim|1000 40000
claim|1000 900000
tiny|5000 160000
END
"$zprof" tune c.prof >text
"$zprof" tune --flags c.prof >flags
[ "$(cat flags)" = "-finstrument-functions-exclude-function-list=tiny" ]
tap $? "aim is part of claim, which stays: only tiny is named"
grep -q '  aim: gcc.s flag would leave out others' text
tap $? "aim must be left out by hand"
grep -q 'With these flags for gcc: the run takes 254 us less, 12.7 %: 1.75 ms instead of 2.00 ms' text
tap $? "the gain is what the hooks of 5,000 calls took"
"$zprof" tune --json c.prof >json
grep -q '"flags":"-finstrument-functions-exclude-function-list=tiny"' json && grep -q '"by":"name","pattern":"tiny","why":null' json
tap $? "the same as JSON"
sed 's/clock tsc.*/&\nmode count/; s/^hooks.*//' spec | "$ZPROF_BUILD/tests/make_profile" count.prof
expect 0 "only calls were recorded" "$zprof" tune count.prof
sed 's/^hooks.*//' spec | "$ZPROF_BUILD/tests/make_profile" free.prof
expect 0 "nothing to leave out" "$zprof" tune free.prof
# shellcheck disable=SC2046
gcc -O1 -g -finstrument-functions $(cat flags) prog.c -o prog && calls after
same_but "calls of all others are unchanged" '^[0-9]+ tiny$'

clang -O1 -g -finstrument-functions prog.c -o prog
made_profile clang.prof <<'END'
main|1 900000
aim|1000 40000
END
"$zprof" tune clang.prof >text
grep -q '  aim: clang has no flag to leave it out' text && [ -z "$("$zprof" tune --flags clang.prof)" ]
tap $? "clang has no flag, and tune says so"
gcc -O1 -g -pg -mfentry -minstrument-return=call -c prog.c && gcc prog.o -L"$ZPROF_BUILD" -lzprof -o prog
made_profile fentry.prof <<'END'
main|1 900000
aim|1000 40000
END
"$zprof" tune fentry.prof | grep -q '  aim: -mfentry has no flag to leave it out'
tap $? "nor has gcc with -mfentry"
# what helps there: hooks come after inlining
"$zprof" tune fentry.prof >text
is "-mfentry: the flag is the next level of optimization" "-O2" "$("$zprof" tune --flags fentry.prof)"
grep -q "With this flag gcc inlines more small functions, which then have no hooks (-mfentry):" text && grep -q "'zprof tune --live'" text && ! grep -q finstrument text
tap $? "-mfentry: no flag of -finstrument-functions is named"
# the flag holds what it promises: a small function of a file has no hooks then
cat >inlined.c <<'END'
static unsigned mix(unsigned x, unsigned y) { x ^= x << 13; y += x >> 17; x ^= y << 5; y ^= x * 7; x += y >> 3; return x ^ y * 5; }
int main(int argc, char **argv)
{
	unsigned s = 0;
	for (int i = 0; i < argc * 100; i++)
		s += mix(i, s) * mix(i + 7, s);
	return s == 1 && argv;
}
END
for level in -O1 "-O1 $("$zprof" tune --flags fentry.prof)"; do
	# shellcheck disable=SC2086,SC2046
	gcc $level inlined.c $("$zprof" cflags --fentry) -o inlined && nm inlined | grep -c ' t mix$'
done >counts
is "-mfentry: with the flag, small functions are inlined" "1 0" "$(tr '\n' ' ' <counts | sed 's/ $//')"
for level in -O2:-O3 -O3: -Os:-O2; do
	gcc "${level%:*}" -g -pg -mfentry -minstrument-return=call -c prog.c -o at.o && mv prog kept && gcc at.o -L"$ZPROF_BUILD" -lzprof -o prog
	printf 'main|1 900000\naim|1000 40000\n' | made_profile level.prof
	is "-mfentry: the flag after ${level%:*}" "${level#*:}" "$("$zprof" tune --flags level.prof)"
	mv kept prog
done
# the profile knows its hooks, also where debug information does not: no flag of others is proposed
gcc -O1 -g -gno-record-gcc-switches -pg -mfentry -minstrument-return=call -c prog.c -o bare.o && mv prog kept && gcc bare.o -L"$ZPROF_BUILD" -lzprof -o prog
printf 'main|1 900000\naim|1000 40000\ntiny|1000 40000\n' | made_profile bare.prof
sed 's/^flags finished/& fentry/' spec | "$ZPROF_BUILD/tests/make_profile" bare.prof
"$zprof" tune bare.prof | grep -q finstrument
is "-mfentry, without a record of flags: nor there" 1 $?
mv kept prog
strip -g prog -o stripped && mv stripped prog
"$zprof" tune fentry.prof 2>errors | grep -q '  aim: it has no debug information that names its compiler'
tap $? "without debug information the compiler is unknown"

g++ -O1 -g -finstrument-functions prog.cc -o prog && calls before
profile_of() { # LINES: of a C++ program with the times that LINES give
	{ echo 'main|1 900000'; cat; } | made_profile cxx.prof
	"$zprof" tune --flags cxx.prof >flags
	# shellcheck disable=SC2046
	g++ -O1 -g -finstrument-functions $(cat flags) prog.cc -o prog && calls after
	echo "# $(cat flags)"
}
profile_of <<'END'
aim(int)|1000 40000
work(int)|1000 900000
(anonymous namespace)::hidden(int)|1000 40000
END
same_but "functions and an unnamed namespace" '^[0-9]+ aim\(int\)$' 'hidden'
g++ -O1 -g -finstrument-functions prog.cc -o prog
profile_of <<'END'
host(int)|1000 40000
host(int)::{lambda(int)#1}::operator()(int) const|1000 900000
aim(int)|1000 40000
END
same_but "not a function with a lambda in it that must stay" '^[0-9]+ aim\(int\)$'
g++ -O1 -g -finstrument-functions prog.cc -o prog
profile_of <<'END'
ns::A::get() const|1000 40000
ns::A::getter() const|1000 900000
int ns::conv<int>(int)|1000 40000
double ns::conv<double>(double)|1000 40000
END
same_but "each of a template's functions; get is part of getter" 'ns::conv<'
g++ -O1 -g -finstrument-functions prog.cc -o prog
profile_of <<'END'
ns::A::get() const|1000 40000
ns::A::getter() const|1000 40000
int ns::conv<int>(int)|1000 40000
double ns::conv<double>(double)|1000 900000
std::vector<int, std::allocator<int> >::push_back(int&&)|1000 40000
END
same_but "both of the class; all of the library's headers; one of a template's stays" 'ns::A::get' 'std::|gnu_cxx|operator new|int\* std'
grep -qF -e '-finstrument-functions-exclude-file-list=/include/c++/' flags
tap $? "the library's headers are left out by file"

expect 2 "unknown option '--min'" "$zprof" tune --min 3 c.prof
expect 0 "zprof tune - what to compile without hooks" "$zprof" help tune
finish
