#!/bin/sh
# SPDX-License-Identifier: MIT
# pause.sh - the longest a call takes, with the profile on disk or in memory, written back meanwhile or not (pause.c).
#
#   pause.sh BUILD_DIR [SECONDS]
set -u
build=$(cd "${1:?usage: pause.sh BUILD_DIR [SECONDS]}" && pwd) || exit 2
seconds=${2:-5}
work=$(mktemp -d "$build/bench/pause-XXXXXX") || exit 2
memory=$(mktemp -d /dev/shm/zprof-bench-XXXXXX) || exit 2
trap 'rm -rf "$work" "$memory"' EXIT
cd "$work" || exit 2

row() { # WHAT OUTPUT [PATTERN]: OUTPUT empty: without the library
	what=$1 output=$2
	shift 2
	rm -f "$work"/profile* "$memory"/profile*
	if [ -z "$output" ]; then
		"$build/bench/pause" "$seconds" "$@"
	else
		ZPROF_OPTIONS=output=$output LD_PRELOAD=$build/libzprof.so "$build/bench/pause" "$seconds" "$@"
	fi >said 2>errors
	[ -s said ] || { echo "not measured: $what: $(head -1 errors)"; return; }
	echo "$what|$(cat said)" | awk -F'|' '{ split($2, n, " ")
		printf "%-34s %11d %7d %9d %8d %8d %7d %9d %8d\n", $1, n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8] }'
}

printf '\n%-34s %11s %7s %9s %8s %8s %7s %9s %8s\n' "pauses, $seconds s each" calls 'med ns' '.9999 ns' '>10 us' '>100 us' '>1 ms' 'worst us' faults
row 'without the library' ''
row 'profile in /dev/shm' "$memory/profile"
row 'in /dev/shm, synced all the time' "$memory/profile" "$memory/profile*"
row 'profile on disk' "$work/profile"
row 'on disk, synced all the time' "$work/profile" "$work/profile*"
