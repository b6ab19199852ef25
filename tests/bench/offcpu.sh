#!/bin/sh
# SPDX-License-Identifier: MIT
# offcpu.sh - what a call that blocks costs with samples, and with offcpu=1: the shortest of RUNS runs of each, in turn.
#
#   tests/bench/offcpu.sh BUILD [RUNS [CALLS]]
#
# The last column is the time of a call beside that of the program without hooks.
build=$(cd "${1:?usage: offcpu.sh BUILD [RUNS [CALLS]]}" && pwd) runs=${2:-9} calls=${3:-20000}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/bench/offcpu
mkdir -p "$work" && cd "$work" || exit 2
gcc -std=gnu11 -O2 -g -pthread "$here/tests/bench/offcpu.c" -o plain &&
	gcc -std=gnu11 -O2 -g -pthread -finstrument-functions "$here/tests/bench/offcpu.c" -o hooks || exit 1
run() { # OPTIONS ARGUMENT...
	options=$1; shift
	rm -f /dev/shm/zprof-bench-offcpu*
	ZPROF_OPTIONS=$options,output=/dev/shm/zprof-bench-offcpu LD_PRELOAD=$build/libzprof.so ./hooks "$@"
	rm -f /dev/shm/zprof-bench-offcpu*
}
for _ in $(seq "$runs"); do
	for call in pipe lock sleep; do
		echo "$call plain $(./plain $call "$calls")"
		echo "$call sample=0 $(run sample=0,clock=count $call "$calls")"
		echo "$call count $(run clock=count $call "$calls")"
		echo "$call count,offcpu=1 $(run clock=count,offcpu=1 $call "$calls")"
		echo "$call exact,offcpu=1 $(run clock=exact,offcpu=1 $call "$calls")"
	done
done | awk '
	{ k = $1 " " $2; if (!(k in least) || $3 < least[k]) least[k] = $3; if (!(k in seen)) { seen[k] = 1; order[++n] = k } }
	END {
		for (i = 1; i <= n; i++) {
			split(order[i], p, " ")
			base = least[p[1] " plain"]
			printf "%-6s %-15s %6.2f us a call  %+6.2f us  %5.2f\n", p[1], p[2], least[order[i]] / 1000, (least[order[i]] - base) / 1000, least[order[i]] / base
		}
	}'
