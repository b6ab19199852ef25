#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh - what recording a Python program costs, beside cProfile and yappi.
#
#   tests/bench/python.sh BUILD [RUNS]
#
# Each of RUNS rounds runs the program alone, under zprof, under cProfile and, if it is installed (python3-yappi), under yappi with its CPU
# clock, one after the other. A row has the middle one of the rounds' ratios of CPU time to that of the program alone, and the least and
# the greatest.
build=$(cd "${1:?usage: python.sh BUILD [RUNS]}" && pwd) runs=${2:-9}
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
work=$build/bench/python
mkdir -p "$work" && cd "$work" || exit 2
if $python -c 'import yappi' 2>/dev/null; then yappi=yes; else yappi=; echo "yappi is not installed" >&2; fi
for _ in $(seq "$runs"); do
	for what in calls generators objects library; do
		plain=$($python "$here/python.py" $what)
		rm -f out*
		zprof=$(ZPROF_OPTIONS=output=out LD_PRELOAD=$build/libzprof.so $python "$here/python.py" $what)
		profile=$($python -m cProfile -o /dev/null "$here/python.py" $what)
		[ -z "$yappi" ] || peer=$($python -m yappi -c cpu -o yappi.out "$here/python.py" $what)
		echo "$what $plain $zprof $profile ${peer:-}"
	done
done | awk '
	{ print $1, "zprof", $3 / $2; print $1, "cProfile", $4 / $2; print $1, "zprof/cProfile", $3 / $4 }
	NF > 4 { print $1, "yappi", $5 / $2; print $1, "zprof/yappi", $3 / $5 }' |
	sort -k1,2 -k3n | awk '
	function row() { printf "%-12s %-16s %6.2f  (%.2f to %.2f)\n", what, how, ratio[int((n + 1) / 2)], ratio[1], ratio[n] }
	$1 " " $2 != what " " how { if (n) row(); what = $1; how = $2; n = 0 }
	{ ratio[++n] = $3 }
	END { row() }'
