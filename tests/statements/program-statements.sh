#!/bin/sh
# SPDX-License-Identifier: MIT
# program-statements.sh - how often each statement ran: in threads, libraries, forked and killed processes; as gcov counts; as Pascal/Z
# printed it.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
programs=$(cd "$(dirname "$0")" && pwd)

# How often the lines marked `counted` ran, for each profile, one after another.
counted() { # PROFILE...
	for profile; do
		"$zprof" annotate --counts "$profile" | sed -n 's/^ *[0-9]* *\([0-9,]*\)|.*counted.*/\1/p' | sort -n
	done | tr '\n' ' '
}

counts() { # WHAT EXPECTED COMMAND...
	what=$1 expected=$2; shift 2
	rm -f profile.*
	ZPROF_OPTIONS=output=profile.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$@" >/dev/null 2>&1
	found=$(counted profile.* | tr ' ' '\n' | sort -n | tr '\n' ' ')
	is "$what ($build)" "$expected" "$found"
}

is_here() { # COMPILER FLAG...
	command -v "${1%% *}" >/dev/null || {
		skip "blocks that ${1%% *} has made" "it is not installed"
		return 1
	}
}
sed 's/void work/void other/; /^static void \*thread/,$d' "$programs/statements.c" >library.c
for build in "gcc -O0" "gcc -O2" "clang -O0" "clang -O2 -fno-unroll-loops"; do
	is_here "$build" || continue
	flags=$("$zprof" cflags --counts --cc "${build%% *}")
	# shellcheck disable=SC2086
	$build "$programs/statements.c" -o prog $flags -fno-inline -pthread -ldl && $build -shared -fPIC library.c -o library.so $flags || exit 1
	counts "a constructor, and a destructor" '2 ' ./prog early
	counts "four threads" '40,002 ' ./prog threads
	counts "a forked child counts for itself" '11 22 ' ./prog fork
	counts "a program that is killed keeps its counts" '101 ' ./prog kill
	counts "a library, loaded three times" '2 21 ' ./prog load ./library.so
	rm -f profile.* zprof.out*
	env -u ZPROF_OPTIONS -u LD_PRELOAD ./prog threads && [ -z "$(ls zprof.out* 2>/dev/null)" ]
	tap $? "a program that is not recorded leaves nothing ($build)"
	# with hooks as well
	# shellcheck disable=SC2086
	$build "$programs/statements.c" -o prog $flags -finstrument-functions -pthread -ldl || exit 1
	counts "beside hooks" '40,002 ' ./prog threads
	[ "$("$zprof" report --json profile.* | grep -o '"name":"work".*"calls":[0-9]*' | sed 's/.*://')" = 4002 ]
	tap $? "and the hooks count calls ($build)"
done

# Without stubs for calls of other libraries. (On arm64, the address is in any register then.)
for build in "gcc -O0" "gcc -O2" "clang -O0"; do
	[ "$(uname -m)" = x86_64 ] && is_here "$build" || continue
	# shellcheck disable=SC2046
	$build -fno-plt "$programs/statements.c" -o prog $("$zprof" cflags --counts --cc "${build%% *}") -pthread -ldl || exit 1
	counts "code without a procedure linkage table" '40,002 ' ./prog threads
done

# gcov's counts at -O0, of the lines that both have: all except a few whose conditions gcov enters
# twice.
text_counts() {
	sed -n 's/^ *\([0-9][0-9]*\)  *\([0-9][0-9,]*\|never\)|.*/\1 \2/p' | tr -d , | sed 's/never/0/' | sort -k1,1
}
gcov_counts() {
	awk -F: '{ c = $1; gsub(/[ *]/, "", c); n = $2 + 0
		if (c == "-" || !n || n in seen) next
		seen[n] = 1; print n, c ~ /^[#=]/ ? 0 : c }' | sort -k1,1
}
same_as_gcov() { # SOURCE COMPILER DIFFERENT-LINES
	mkdir -p gcov && rm -f gcov/* profile.*
	# shellcheck disable=SC2046
	"$2" -O0 "$programs/$1" -o prog $("$zprof" cflags --counts) -pthread -ldl &&
		(cd gcov && "$2" -O0 -g --coverage -fprofile-update=atomic "$programs/$1" -o prog -pthread -ldl && ./prog threads >/dev/null &&
			gcov -t ./*.gcda >all) || exit 1
	awk -v want="Source:$programs/$1" -F: '/0:Source:/ { on = index($0, want) > 0 } on' gcov/all | gcov_counts >ours-gcov
	ZPROF_OPTIONS=output=profile.1 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog threads >/dev/null
	"$zprof" annotate --counts --file "$1" profile.1 | text_counts >ours
	join ours ours-gcov >both
	awk '$2 != $3' both >difference
	[ "$(wc -l <both)" -ge 20 ] && [ "$(cut -d ' ' -f 1 difference | tr '\n' ' ')" = "$3" ]
	tap $? "$1: $(wc -l <both) lines have gcov's counts, except${3:+ }${3:- none}"
	sed 's/^/# line, ours, gcov: /' difference
}
# Where a line begins a lambda, gcov leaves out how often that ran. Since gcc 14 it counts lines that build a vector or a
# string for each way that leads through them.
case $(g++ -dumpversion) in
12 | 13) more= ;;
*) more='74 79 ' ;;
esac
same_as_gcov statements.c gcc ''
same_as_gcov statements_mix.cc g++ "68 $more"

# The program that Pascal/Z profiled: it prints a bar for each of its own 53 counters.
cat >profile.c <<'END'
#include <stdio.h>

static int counts[53], scale;

static void fill(void)
{
	for (int i = 0; i < 53; i++)
		counts[i] = i == 28 || i == 30 ? 2650 - i : i < 40;
}

static void bar(int n)
{
	int stars = n / scale;
	for (int i = 0; i < 50; i++)
		if (i < stars)
			putchar('*');
		else
			putchar(' ');
}

int main(void)
{
	fill();
	scale = 130;
	for (int i = 0; i < 53; i++) {
		printf("%3d %5d|", i + 1, counts[i]);
		bar(counts[i]);
		puts("|");
	}
	if (counts[0] < 0) {
		puts("overflow");
		return 1;
	}
	return 0;
}
END
gcc -O0 -ffile-prefix-map="$PWD"=/src profile.c -o prog $("$zprof" cflags --counts) || exit 1
rm -f profile.1
ZPROF_OPTIONS=output=$PWD/profile.1 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog >/dev/null
golden annotate/counts "$zprof" annotate --counts --source-path . profile.1
ZPROF_OPTIONS=output=$PWD/profile.0 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./prog >/dev/null
"$zprof" merge -o once.prof profile.1 2>/dev/null && "$zprof" merge -o twice.prof once.prof profile.0 2>/dev/null
"$zprof" annotate --counts --lines 14 --source-path . twice.prof | grep -q '^ *14  *5,406|'
tap $? "counts of merged profiles add up"
golden annotate/counts-func "$zprof" annotate --counts --func bar --width 80 --source-path . profile.1
golden annotate/counts-lines "$zprof" annotate --counts --lines 14-19 --source-path nowhere profile.1
# Sections that the source marks, by macros that expand to nothing, or in comments.
sed 's/^static void bar/ZPROF_COUNTS_ON\n&/; s:^int main.*:// ZPROF_COUNTS_OFF\n&:; 2s/^/#include "zprof.h"/' profile.c >marked.c
gcc -w -O0 -ffile-prefix-map="$PWD"=/src marked.c -o marked $("$zprof" cflags --counts) || exit 1
ZPROF_OPTIONS=output=$PWD/profile.2 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./marked >/dev/null
golden annotate/counts-marked "$zprof" annotate --counts --marked --source-path . profile.2
"$zprof" annotate --counts --func bar --json --source-path . profile.2 | grep -o '"executions":[0-9]*' >expected
"$zprof" annotate --counts --marked --json --source-path . profile.2 | grep -o '"executions":[0-9]*' | diff - expected >difference
tap $? "executions are those of the section"
expect 0 "no line is between ZPROF_COUNTS_ON and" "$zprof" annotate --counts --marked --source-path . profile.1
"$zprof" annotate --counts --marked --func main --source-path . profile.2 2>&1 | grep -q "no line is between"
tap $? "for a function outside, there is nothing to show"
rm profile.2
"$zprof" annotate --counts --json profile.1 | "$ZPROF_BUILD/tests/json_shape" | grep -q '^files\[\].lines\[\].columns\[\].count integer'
tap $? "JSON has every column"
expect 0 "no function that counts is selected" "$zprof" annotate --counts --func nosuch profile.1
rm prog
expect 0 "or its program or its debug information is gone" "$zprof" annotate --counts profile.1
gcc -g -finstrument-functions -xc - -o plain <<'END'
int main(void) { return 0; }
END
ZPROF_OPTIONS=output=$PWD/profile.2 LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./plain
expect 1 "has no counts of statements" "$zprof" annotate --counts profile.2
expect 0 "-fsanitize-coverage=trace-pc,bb,no-prune" "$zprof" cflags --counts --cc clang
finish
