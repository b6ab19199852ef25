#!/bin/sh
# SPDX-License-Identifier: MIT
# report.sh - how long the flat report and the graph of a million contexts take, as a ratio to what sort takes for a million lines in the
# same run; the best of three.
#
#   tests/bench/report.sh BUILD
build=$(cd "${1:-build}" && pwd) || exit 1
zprof=$build/zprof
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset LC_ALL LANG
"$zprof" record "$build/tests/programs/gcc-O2/contexts" >out 2>errors || exit 1
awk 'BEGIN { srand(1); for (i = 0; i < 1000000; i++) printf "%d some line of text %d\n", rand() * 1000000000, i }' >lines

best() { # COMMAND...: milliseconds of the quickest of three
	least=999999
	for _ in 1 2 3; do
		start=$(date +%s%N)
		"$@" >out 2>errors
		took=$((($(date +%s%N) - start) / 1000000))
		[ $took -lt $least ] && least=$took
	done
	echo $least
}
sort_ms=$(best sort lines)
for view in report graph; do
	ms=$(best "$zprof" $view)
	awk -v ms="$ms" -v sort="$sort_ms" -v view="$view" 'BEGIN { printf "%5.2f  %-8s %6d ms; sort %d ms\n", ms / sort, view, ms, sort }'
done
