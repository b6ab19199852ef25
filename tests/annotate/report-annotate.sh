#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof annotate`: the source with its figures, to the tick; which lines are chosen; sources that are elsewhere or nowhere.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof

record() { # PROFILE PROGRAM [ARGUMENT...], by the clock that ticks at each reading
	rm -f "$1"
	to=$1; shift
	ZPROF_OPTIONS=callsites=1,output=$PWD/$to LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so "$@"
}

# The program of the line profiler for the language nodots, in C. Each call takes a tick, and so does each return.
mkdir -p src
cat >src/fib.c <<'END'
#include <stdio.h>

/* recursive (slow) */
int fib(int x)
{
	if (x == 0 || x == 1)
		return x;
	return fib(x - 1) + fib(x - 2);
}

void nuflog(int value)
{
	fprintf(stderr, "%d\n", value);
}

int main(void)
{
	for (int i = 0; i < 21; i = i + 1)
		nuflog(fib(i));
	return 0;
}
END
# (gcc 12 and clang do not agree on where a call in another's arguments begins.)
for build in "gcc -O0" "gcc -O2" "clang -O1"; do
	# shellcheck disable=SC2086
	(cd src && $build -g -finstrument-functions -ffile-prefix-map="$PWD"=/built/src fib.c -o ../fib) || exit 1
	record fib.prof ./fib 2>/dev/null
	case "$build $(gcc -dumpversion)" in
	'gcc -O2 12') golden annotate/fib-gcc "$zprof" annotate --source-path /built="$PWD" fib.prof ;;
	gcc\ -O2*) # other versions put fib() into itself in other ways, and join what then is the same
		"$zprof" annotate --source-path /built="$PWD" fib.prof | grep -q '^ *8  x57,270 '
		tap $? "$build: all calls of a line" ;;
	*) golden "annotate/fib-${build%% *}" "$zprof" annotate --source-path /built="$PWD" fib.prof ;;
	esac
done
golden annotate/fib-right "$zprof" annotate --right --source-path /built="$PWD" fib.prof
golden annotate/fib-missing "$zprof" annotate fib.prof
golden annotate/fib-lines "$zprof" annotate --lines 16-20 --source-path src fib.prof
golden annotate/fib-func "$zprof" annotate --func main --source-path src fib.prof
golden annotate/fib-width "$zprof" annotate --width 60 --source-path src fib.prof
"$zprof" annotate --source-path src fib.prof >plain
"$zprof" merge -o merged.prof fib.prof 2>/dev/null && rm fib
"$zprof" annotate --source-path src merged.prof >actual
[ "$(grep -c x57,270 actual)" = 1 ] && [ "$(sed -n 's/^ *[0-9]* .*\(x57,270\).*/\1/p' plain actual | wc -l)" = 2 ]
tap $? "a merged profile knows its lines when the program is gone"

# Two calls on a line, through pointers and from inlined code; tabs and letters of several bytes; a line of other
# files.
cat >src/half.h <<'END'
static inline __attribute__((always_inline, no_instrument_function)) int half(int n, int (*f)(int))
{
	return f(n / 2);
}
END
cat >src/wide.c <<'END'
#include "half.h"

static int one(int n) { return n + 1; }
static int two(int n) { return n + 2; }
static int (*const both[])(int) = {one, two};

static inline __attribute__((always_inline)) int sum(int n)
{
	return one(n) + two(n);
}

int main(void)
{
	int all = 0;
	for (int i = 0; i < 10; i++)
		all += both[i % 2](i);
	/* größer als ein Byte */ all += one(1);	all += two(2);
	all += /* 日本 */ sum(3) + half(8, two);
	return all == 0;
}
END
(cd src && gcc -O1 -fno-inline-functions-called-once -fno-inline-small-functions -g -finstrument-functions \
	-ffile-prefix-map="$PWD"=/built/src wide.c -o ../wide) || exit 1
record wide.prof ./wide
golden annotate/wide "$zprof" annotate --source-path /built="$PWD" wide.prof
"$zprof" annotate --json --source-path /built="$PWD" wide.prof >lines.json && "$zprof" graph --json wide.prof >graph.json &&
	"$ZPROF_BUILD/tests/check_lines" lines.json graph.json >said
tap $? "every call is on a line"
sed 's/^/# /' said
expect 0 'half.h' "$zprof" annotate --func main --source-path src wide.prof
"$zprof" annotate --file half.h --source-path src wide.prof >actual 2>&1
grep -q "matches nothing\|no function" actual
tap $? "a file without functions that have hooks is selected by those that call from it"

# Filters: a transparent function still calls from its own lines.
golden annotate/wide-not "$zprof" annotate --not sum --source-path src wide.prof
golden annotate/wide-under "$zprof" annotate --under sum --source-path src wide.prof

# What a profile does not hold is reported.
ZPROF_OPTIONS=output=$PWD/plain.prof LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./wide
expect 0 'record it with --callsites' "$zprof" annotate --source-path src plain.prof
expect 2 "--lines is a line, or two such as 100-150, not '5-1'" "$zprof" annotate --lines 5-1 wide.prof
expect 2 "--lines is a line" "$zprof" annotate --lines 0 wide.prof
for how in '' --asm --json; do
	# shellcheck disable=SC2086
	expect 2 "zprof: --lines: no function that is shown has lines from 900 to 950; leave out --lines" \
		"$zprof" annotate $how --lines 900-950 --source-path src wide.prof
done
expect 2 "zprof: --lines: no file that is shown has a line 900; leave out --lines" "$zprof" annotate --file wide.c --lines 900 --source-path src wide.prof
expect 0 "" "$zprof" annotate --file wide.c --lines 1 --source-path src wide.prof
(cd src && gcc -finstrument-functions wide.c -o ../bare) && record bare.prof ./bare
expect 0 'compile with -g' "$zprof" annotate bare.prof
ln -s /dev/zero src/zero.c
mkdir -p odd && printf 'text\0more\n' >odd/wide.c
expect 0 'cannot read it: it is not text' "$zprof" annotate --source-path odd wide.prof
printf 'int \033[31mred;\n' >odd/wide.c
"$zprof" annotate --lines 1 --source-path odd wide.prof | grep -q "$(printf '\033')"
[ $? = 1 ]
tap $? "a source cannot steer a terminal"

# In one command: the program's output and status are its own, times are of the real clock.
mkdir -p run
cd run || exit 1
# (Programs of this processor: the shell may be another one's where these tests run in an emulator.)
cat >twice.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	for (int i = 0; i < 2; i++) {
		if (!fork())
			return execv(argv[1], argv + 1);
		wait(NULL);
	}
	return 3;
}
END
echo 'int main(void) { return 0; }' >bare.c
gcc -w twice.c -o twice && gcc bare.c -o bare || exit 1
expect 3 'x2' "$zprof" annotate --source-path ../src --func main -- ./twice ../wide
ls zprof.out.* | wc -l | grep -qx 2
tap $? "annotate -- PROGRAM keeps the profiles"
expect 1 'no instrumented function ran' "$zprof" annotate -- ./bare
expect 0 'zprof annotate -- ./sim' "$zprof" help annotate

# Samples know the line: the one that takes all the time has samples, one that never runs has none; lines take no more time than
# their function; a merged profile has it; at 80 columns the source can be read.
cd .. && cat >src/hot.c <<'END'
#include <stdlib.h>

static volatile unsigned sum;

static unsigned mix(unsigned x)
{
	for (int i = 0; i < 200; i++)
		x = x * 1664525 + 1013904223; sum += x;		/* hot */
	if (x == 0)
		sum += (unsigned)rand();			/* cold */
	return x;
}

int main(void)
{
	for (unsigned i = 1; i < 1000000; i++)
		mix(i);
	return 0;
}
END
(cd src && gcc -O1 -w -g -finstrument-functions hot.c -o ../hot) && "$zprof" record --callsites -o hot.zp ./hot 2>/dev/null || exit 1
"$zprof" annotate hot.zp >text
grep -q '^ *8  .* [mu]*s .*hot' text && grep -q '^ *10   *[^0-9]*sum += (unsigned)rand.*cold' text
tap $? "samples are on the line that takes the time"
sed 's/^/# /' text
"$zprof" annotate --func mix --json hot.zp | tr '{' '\n' |
	awk -F'[:,]' '/"own_ns"/ { for (i = 1; i < NF; i++) if ($i == "\"own_ns\"" && $(i + 1) != "null") all += $(i + 1) }
		/"name":"mix"/ { for (i = 1; i < NF; i++) if ($i == "\"self_ns\"") self = $(i + 1) }
		/"self_ns"/ && !own { for (i = 1; i < NF; i++) if ($i == "\"self_ns\"") own = $(i + 1) }
		END { print all, own; exit !(all > 0 && all <= own * 1.001) }' >said
tap $? "lines took no more than their function: $(cat said)"
"$zprof" merge -o hot-merged.zp hot.zp 2>/dev/null && rm hot && "$zprof" annotate hot-merged.zp | diff - text >difference
tap $? "a merged profile has what lines took"
sed 's/^/# /' difference
"$zprof" annotate --width 80 hot.zp | grep -q 'x = x \* 1664525 + 101390'
tap $? "at 80 columns the source can be read"

# A source whose name was given from the folder of the build is found from any other; where it is not there, from the current one.
mkdir -p apart/out apart/src && cp src/fib.c apart/src && (cd apart/out && gcc -g -finstrument-functions ../src/fib.c -o fib) || exit 1
"$zprof" record --callsites -o apart.zp apart/out/fib 2>/dev/null
record apart.prof apart/out/fib 2>/dev/null
(mkdir -p far && cd far && "$zprof" annotate ../apart.prof) | grep -q 'return fib(x - 1) + fib(x - 2)'
tap $? "a source is looked for where it was compiled"
"$zprof" info apart.zp | grep -q 'functions*, 1 source file'
tap $? "and archived from there"
mv apart/src elsewhere && mkdir -p now/src now/out && cp elsewhere/fib.c now/src
(cd now/out && "$zprof" annotate ../../apart.prof) | grep -q 'return fib(x - 1) + fib(x - 2)'
tap $? "or from here"

# Calls of an interpreter's functions are at the line of the first, where a sample hit the function as where none did.
"$ZPROF_BUILD/tests/make_profile" lent.zp <<'END'
mode count
clock tsc 1000000000
sampler 1 9000 0
module 1 /lib/libx.so 0x10000 0x20000 0x10000
zone main group=g file=a.fs line=3
thread 1 t 1
  main 1 10
    hit 3 20
extra 12:5 3 0 0
seen 2 0 0 1000000
at @1+0x80 2 2000000
    missed 4 20
extra 13:5 4 0 0
END
"$zprof" annotate --json lent.zp 2>/dev/null | grep -oE '"(calls|line)":[0-9]+|"callee":"[a-z]*"' | tr -d '\n' >said
grep -q '"line":12"calls":3"callee":"hit"' said && grep -q '"line":13"calls":4"callee":"missed"' said
tap $? "an interpreter's function that a sample hit keeps the line that it was called from" || echo "# $(cat said)"
finish
