#!/bin/sh
# SPDX-License-Identifier: MIT
# truth.sh - self times and their error bars against programs whose true split is known (truth.c).
# Of several runs the one counts in which others took the least of the processor, which the truth knows nothing of.
#
#   truth.sh BUILD_DIR [RUNS]
set -u
build=$(cd "${1:?usage: truth.sh BUILD_DIR [RUNS]}" && pwd) || exit 2
runs=${2:-9}
work=$(mktemp -d "$build/bench/truth-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

printf '\n%-12s %8s %8s   %s\n' 'self times' figure limit 'against programs whose true split is known'
for program in ${PROGRAMS:-split rare order zones}; do
	case $program in
	order | zones) truth=$build/bench/truth_zones ;;
	*) truth=$build/bench/truth ;;
	esac
	least=
	for _ in $(seq "$runs"); do
		rm -f profile* truth
		ZPROF_OPTIONS=output=profile LD_PRELOAD=$build/libzprof.so "$truth" $program truth >stopped 2>errors &&
			[ -f profile ] || break
		stopped=$(cat stopped)
		if [ -z "$least" ] || awk "BEGIN { exit !($stopped < $least) }"; then
			least=$stopped
			mv profile best.profile
			mv truth best.truth
		fi
		awk "BEGIN { exit !($least < 0.002) }" && break
	done
	if [ -z "$least" ]; then
		echo "not measured                     $program: $(head -1 errors)"
	elif awk "BEGIN { exit !($least > 0.02) }"; then
		echo "not measured                     $program: in the best of $runs runs others took $least of the time; try on a quiet machine"
	else
		"$build/zprof" report --json best.profile >best.json && "$build/bench/truth_judge" "$program" best.truth best.json
	fi
done
