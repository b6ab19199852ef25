#!/bin/sh
# SPDX-License-Identifier: MIT
# python.sh - what recording a Python program costs, beside cProfile, yappi and the trampolines that Python has for perf.
#
#   tests/bench/python.sh BUILD [RUNS]
#
# Each of RUNS rounds runs the program alone, under zprof, under cProfile and, where they are there, with trampolines (from Python 3.12 on;
# perf itself does not run) and under yappi (python3-yappi) with its CPU clock, one after the other. A row has the middle one of the
# rounds' ratios of CPU time to that of the program alone, and the least and the greatest. PYTHON is the interpreter.
build=$(cd "${1:?usage: python.sh BUILD [RUNS]}" && pwd) runs=${2:-9}
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-/usr/bin/python3}
work=$build/bench/python
mkdir -p "$work" && cd "$work" || exit 2
if $python -c 'import yappi' 2>/dev/null; then yappi=yes; else yappi=; echo "yappi is not installed" >&2; fi
if $python -c 'import sys; sys.activate_stack_trampoline' 2>/dev/null; then perf=yes; else perf=; fi
for _ in $(seq "$runs"); do
	for what in calls generators objects library; do
		echo "$what alone $($python "$here/python.py" $what)"
		rm -f out*
		echo "$what zprof $(ZPROF_OPTIONS=output=out LD_PRELOAD=$build/libzprof.so $python "$here/python.py" $what)"
		echo "$what cProfile $($python -m cProfile -o /dev/null "$here/python.py" $what)"
		[ -z "$yappi" ] || echo "$what yappi $($python -m yappi -c cpu -o yappi.out "$here/python.py" $what)"
		[ "$perf" ] || continue
		$python -X perf "$here/python.py" $what >seconds &
		wait $!
		rm -f "/tmp/perf-$!.map"
		echo "$what perf $(cat seconds)"
	done
done | awk '
	$2 == "alone" { alone = $3; next }
	{ print $1, $2, $3 / alone }
	$2 == "zprof" { zprof = $3; next }
	{ print $1, "zprof/" $2, zprof / $3 }' |
	sort -k1,2 -k3n | awk '
	function row() { printf "%-12s %-16s %6.2f  (%.2f to %.2f)\n", what, how, ratio[int((n + 1) / 2)], ratio[1], ratio[n] }
	$1 " " $2 != what " " how { if (n) row(); what = $1; how = $2; n = 0 }
	{ ratio[++n] = $3 }
	END { row() }'
