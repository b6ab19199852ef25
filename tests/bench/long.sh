#!/bin/bash
# SPDX-License-Identifier: MIT
# long.sh - 100 million calls take no more memory, file and time to report than 1 million take. (The kernel knows a process's
# peak only to some hundred KiB, and times vary, so both may be a quarter more. The file may not.)
#
#   long.sh BUILD_DIR [CALLS-OF-THE-LONG-RUN]
set -u
build=$(cd "${1:?usage: long.sh BUILD_DIR [CALLS]}" && pwd) || exit 2
many=${2:-100000000}
work=$(mktemp -d "$build/bench/long-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

TIMEFORMAT='%3U %3S'
report_ms() { # PROFILE: milliseconds of processor time, the least of nine
	for _ in 1 2 3 4 5 6 7 8 9; do
		{ time "$build/zprof" graph "$1" >graph; } 2>&1
	done | awk '{ ms = ($1 + $2) * 1000; if (NR == 1 || ms < least) least = ms } END { print least }'
}
verdict() { # WHAT FEW MANY PER-CENT-MORE
	awk -v what="$1" -v few="$2" -v many="$3" -v more="$4" 'BEGIN {
		printf "%-12s %8.2f %8.2f   %s\n", many <= few * (1 + more / 100) ? "met" : "NOT MET", many / few, 1 + more / 100, what }'
}

echo
printf '%-10s %12s %12s %12s %14s\n' program calls 'peak KiB' 'file bytes' 'graph ms'
for program in leaf fib callees cxx; do
	for calls in 1000000 "$many"; do
		rm -f profile*
		said=$(ZPROF_OPTIONS=output=profile LD_PRELOAD=$build/libzprof.so "$build/bench/$program.hooks" $((calls / 100000)) 100000) || exit 1
		echo "$program $calls ${said##* } $(stat -c %s profile*) $(report_ms profile*)" | tee -a lines |
			awk '{ printf "%-10s %12d %12d %12d %14d\n", $1, $2, $3, $4, $5 }'
	done
done
printf '\n%-12s %8s %8s   %s\n' long figure limit "$many calls, against 1000000"
while read -r program _ peak bytes ms && read -r _ _ peak_many bytes_many ms_many; do
	verdict "$program: memory" "$peak" "$peak_many" 25
	verdict "$program: file" "$bytes" "$bytes_many" 0
	verdict "$program: time of the report" "$ms" "$ms_many" 25
done <lines
