#!/bin/sh
# SPDX-License-Identifier: MIT
# truth.sh - self times and their error bars against programs whose true split is known (truth.c), under exact and adaptive timing.
# Of several runs the quickest counts: what else the machine does is time that the truth knows nothing of.
#
#   truth.sh BUILD_DIR [RUNS]
set -u
build=$(cd "${1:?usage: truth.sh BUILD_DIR [RUNS]}" && pwd) || exit 2
runs=${2:-5}
work=$(mktemp -d "$build/bench/truth-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

printf '\n%-12s %8s %8s   %s\n' 'self times' figure limit 'against programs whose true split is known'
for program in ${PROGRAMS:-split rare zones}; do
	for clock in exact adaptive; do
		least=
		for _ in $(seq "$runs"); do
			rm -f profile* truth
			start=$(date +%s%N)
			ZPROF_OPTIONS=clock=$clock,output=profile LD_PRELOAD=$build/libzprof.so "$build/bench/truth" $program truth 2>errors || break
			took=$(($(date +%s%N) - start))
			[ -f profile ] || break
			if [ -z "$least" ] || [ $took -lt "$least" ]; then
				least=$took
				mv profile best.profile
				mv truth best.truth
			fi
		done
		if [ -z "$least" ]; then
			echo "not measured          $program, $clock: $(head -1 errors)"
			continue
		fi
		"$build/zprof" report --json best.profile >best.json && "$build/bench/truth_judge" "$program, $clock" best.truth best.json
	done
done
