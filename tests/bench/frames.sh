#!/bin/sh
# SPDX-License-Identifier: MIT
# frames.sh - what frames, history and timed calls cost: the shortest of RUNS runs of each, in turn.
#
#   tests/bench/frames.sh BUILD [RUNS [STEPS]]
#
# A frame calls a thousand functions once. STEPS makes it as long as a frame of a program that has a thousand per second. The last
# column is what the end of a frame adds to that millisecond; history is to add 5 % at most. `MB read`: how long the end of a
# frame takes when the program has read this many megabytes before: 64 empty every cache.
build=$(cd "${1:?usage: frames.sh BUILD [RUNS [STEPS]]}" && pwd) runs=${2:-9} steps=${3:-1}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$build/bench/frames
mkdir -p "$work" && cd "$work" || exit 2
gcc -std=gnu11 -O2 -g -finstrument-functions -I"$here" "$here/tests/bench/frames.c" -o frames || exit 1
run() { # OPTIONS ARGUMENTS...
	options=$1; shift
	rm -f /dev/shm/zprof-bench-frames*
	ZPROF_OPTIONS=$options,output=/dev/shm/zprof-bench-frames LD_PRELOAD=$build/libzprof.so ./frames "$@"
	rm -f /dev/shm/zprof-bench-frames*
}
for _ in $(seq "$runs"); do
	for clock in exact count; do
		echo "$clock frame none $(run clock=$clock "$steps" 3000)"
		for history in off none self full; do
			kept=$([ $history = none ] || echo ",history=$history")
			echo "$clock frame $history $(run "clock=$clock$kept" "$steps" 3000 turns)" | sed 's/frame none/frame statistics/'
		done | sed "s/^$clock frame off/$clock frame history=off/"
		for megabytes in 0 4 64; do
			for history in none full; do
				kept=$([ $history = none ] || echo ",history=$history")
				echo "$clock cold $megabytes-MB,$history $(run "clock=$clock$kept" cold $megabytes 300)"
			done
		done
		echo "$clock call plain $(run clock=$clock calls 1000000)"
		echo "$clock call tails=main $(run clock=$clock,tails=main calls 1000000)"
		echo "$clock call tails=leaf $(run clock=$clock,tails=leaf calls 1000000)"
	done
done | awk '
	{ k = $1 " " $2 " " $3; if (!(k in least) || $4 < least[k]) least[k] = $4; if (!(k in seen)) { seen[k] = 1; order[++n] = k } }
	END {
		for (i = 1; i <= n; i++) {
			split(order[i], p, " ")
			base = least[p[1] " " p[2] " " (p[2] == "frame" ? "none" : "plain")]
			if (p[2] == "cold")
				printf "%-5s  end of a frame, MB read and history: %-9s %7.1f us, %4.1f %% of a millisecond\n", p[1], p[3], least[order[i]], least[order[i]] / 10
			else if (p[2] == "frame")
				printf "%-5s  %-12s %7.1f us per frame  %+6.1f us, %4.1f %% of a millisecond\n", p[1], p[3], least[order[i]], least[order[i]] - base, (least[order[i]] - base) / 10
			else
				printf "%-5s  %-12s %7.1f ns a call   %+6.1f ns\n", p[1], p[3], least[order[i]], least[order[i]] - base
		}
	}'
