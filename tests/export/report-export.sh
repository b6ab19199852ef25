#!/bin/sh
# SPDX-License-Identifier: MIT
# zprof export: the formats that are text, a golden each; times that add up; deep paths; what it refuses. That other programs
# read the formats is tested by make test-viewers.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
export TZ=UTC0
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1
"$ZPROF_BUILD/tests/make_profile" lent.prof <"$golden_folder/report/lent.spec" || exit 1
for format in callgrind firefox cpuprofile speedscope folded dot csv functions arcs; do
	golden "report/export-$format" "$zprof" export --format=$format lent.prof
done
golden report/export-callgrind-sample "$zprof" export --format=callgrind sample.prof
golden report/export-folded-under "$zprof" export --format=folded --under expr --thread main sample.prof
golden report/export-csv-func "$zprof" export --format=csv --func 'scan*' sample.prof

# ---- contexts whose hooks cost more than they took
{
	printf 'clock tsc 1000000000\nhooks 20000 20000 5000\nzone main kind=2\nzone small kind=2\nzone big kind=2\n'
	printf 'thread 1 t 1\n  main 1 1000\n    small 10 30\n    big 1 5000\n'
} | "$ZPROF_BUILD/tests/make_profile" below.prof || exit 1
"$zprof" export --format=folded below.prof >out 2>said
! grep -q small out && ! grep -q -- - out && grep -q "times came out below zero have none here, which adds" said
tap $? "a time below zero counts as none, and a message says how much that adds"
"$zprof" export --raw --format=folded below.prof >out 2>said
grep -qx 't (1);main;small 30' out && [ ! -s said ]
tap $? "raw times are exported as they are"

# ---- tables of many profiles
expect 2 "--each is for the formats 'functions' and 'arcs'" "$zprof" export --each --format=csv sample.prof
for table in functions arcs; do
	"$zprof" export --each --format=$table -o $table.csv sample.prof lent.prof 2>said
	{ "$zprof" export --format=$table sample.prof; "$zprof" export --format=$table lent.prof | sed 1d; } >expected.csv 2>errors
	same "$table of each file, one after the other" expected.csv $table.csv
	is "$table: each row has its program" "compile words" "$(sed '1d; s/^"[^"]*","//; s/".*//' $table.csv | sort -u | paste -sd' ')"
	expect 0 "" "$zprof" export --each --format=$table -o $table.csv sample.prof
	expect 1 "it is one of the files that are read" "$zprof" export --each --format=$table -o sample.prof sample.prof
done

# ---- a context 600 deep
{
	printf 'clock tsc 1000000000\nzone a kind=2\nzone b kind=2\nthread 1 t 1\n'
	awk 'BEGIN { for (i = 1; i <= 600; i++) printf "%*s%s 1 1\n", i * 2, "", i % 2 ? "a" : "b" }'
} | "$ZPROF_BUILD/tests/make_profile" deep.prof || exit 1
"$zprof" export --format=folded deep.prof >out 2>said
[ "$(awk '{ sum += $NF } END { print sum }' out)" = 600 ] && [ "$(wc -c <out)" -lt 800000 ] && tail -1 out | grep -qx 't (1);a;b 1' &&
	grep -q "88 contexts are deeper than 512 frames; their paths have each function once" said
tap $? "a deep path is shortened, and a message says so"
{
	printf 'clock tsc 1000000000\nthread 1 t 1\n'
	awk 'BEGIN { for (i = 1; i <= 513; i++) printf "%*sa 1 1\n", i * 2, "" }'
} | "$ZPROF_BUILD/tests/make_profile" one.prof || exit 1
expect 0 "1 context is deeper than 512 frames; its path has each function once" "$zprof" export --format=folded one.prof
"$zprof" export --format=speedscope deep.prof 2>said | grep -o '"type":"[OC]"' | sort | uniq -c | awk '$1 != 1200 { bad = 1 } END { exit bad || NR != 2 }' && [ ! -s said ]
tap $? "a format of contexts is as deep as the profile"

# ---- only calls
{ printf 'clock tsc 1000000000\nmode count\n'; sed -n '/^zone\|^thread\|^  /p' "$golden_folder/report/lent.spec" | grep -v '^extra'; } |
	"$ZPROF_BUILD/tests/make_profile" count.prof || exit 1
"$zprof" export --format=folded count.prof 2>said | grep -qx 'main (101);main;fact;io 3'
tap $? "if only calls were recorded, calls are the weight"

# ---- files
"$zprof" export --format=folded -o to.folded sample.prof && "$zprof" export --format=folded sample.prof | cmp - to.folded
tap $? "a file has what stdout would have"
expect 1 "cannot write 'no/folder'" "$zprof" export --format=csv -o no/folder sample.prof
! [ -e no ] && expect 1 "gmon.out holds functions of the program itself" "$zprof" export --format=gmon -o out.gmon sample.prof
[ ! -e out.gmon ]
tap $? "nothing is left of a file that could not be made"
expect 1 "cannot write '/dev/full': No space left on device" "$zprof" export --format=csv -o /dev/full sample.prof
expect 2 "unknown format 'foldde' (did you mean 'folded'?)" "$zprof" export --format=foldde sample.prof
expect 2 "--format is missing; formats are callgrind, pprof" "$zprof" export sample.prof
finish
