#!/bin/sh
# SPDX-License-Identifier: MIT
# A million contexts: the flat report and the graph come to an end, which no view would within the time of a test whose work grows as the
# square of the contexts (`make bench-report` has the times). And many processes add up in the memory of a few.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
unset LC_ALL LANG
"$zprof" record "$ZPROF_BUILD/tests/programs/gcc-O2/contexts" >out 2>errors || exit 1
"$zprof" info --json | grep -o '"contexts":[0-9]*' | cut -d: -f2 >contexts
[ "$(cat contexts)" -ge 1000000 ]
tap $? "the program has a million contexts"
for view in report graph; do
	"$zprof" $view >out 2>errors && [ -s out ] && [ ! -s errors ]
	tap $? "$view shows them"
done

# one profile takes its file and its tree; six also take the sum
mkdir six
for i in 1 2 3 4 5 6; do cp zprof.out.* "six/$i"; done
memory() { /usr/bin/time -f %M "$zprof" report "$@" 2>&1 >/dev/null | tail -1; }
one=$(memory six/1) all=$(memory six)
[ "$all" -le $((3 * one)) ]
tap $? "six processes take at most 3 times the memory of one: $all kB, $one kB"
finish
