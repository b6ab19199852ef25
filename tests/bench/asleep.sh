#!/bin/sh
# SPDX-License-Identifier: MIT
# asleep.sh - what programs with hooks take while the hooks are switched off, beside the same programs without.
#
#   asleep.sh BUILD_DIR [ROUNDS]
#
# sqlite and jsoncpp, from Debian's sources. All variants run in turn, ROUNDS times; the least CPU time of each counts. Their output
# must be the same.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
build=$(cd "${1:?usage: asleep.sh BUILD_DIR [ROUNDS]}" && pwd) || exit 2
rounds=${2:-15}
real=$build/bench/source
zprof=$build/zprof
export LD_LIBRARY_PATH="$build"
unset ZPROF_RUN ZPROF_OPTIONS
. tests/real/build.sh
scratch=$(mktemp -d "$build/bench/asleep-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$real"
cc=gcc cxx=g++ level=-O2 traced='' reversed=''

cpu_ms() { # VARIANT PROGRAM OPTIONS: one run, its CPU time
	rm -rf "$scratch/run" && mkdir "$scratch/run"
	(cd "$scratch/run" && {
		[ -z "$3" ] || export ZPROF_OPTIONS="$3"
		run "$workloads" "$2" >"$scratch/out.$1" 2>"$scratch/err.$1"
		times
	}) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d\n", 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) }'
}

measure() { # NAME
	name=$1 package='' workloads=''
	unset -f prepare
	. "tests/real/programs/$name.sh"
	prepare_program || exit 1
	for how in plain fentry hooks; do
		case $how in
		plain) hooks= ;;
		fentry) hooks=$("$zprof" cflags --fentry) ;;
		hooks) hooks=-finstrument-functions ;;
		esac
		mkdir -p "$work/asleep-$how"
		build "$work/asleep-$how/program" || exit 1
		cp "$work/asleep-$how/program" "$scratch/$how"
	done
	for how in fentry hooks; do
		cp "$scratch/$how" "$scratch/$how.asleep"
		"$zprof" sleep "$scratch/$how.asleep" || exit 1
	done
	for how in plain fentry hooks fentry.asleep hooks.asleep fentry.off; do : >"$scratch/times.$how"; done
	i=0
	while [ $i -lt "$rounds" ]; do
		for how in plain fentry hooks fentry.asleep hooks.asleep; do
			cpu_ms "$how" "$scratch/$how" '' >>"$scratch/times.$how"
		done
		cpu_ms fentry.off "$scratch/fentry" "start=off,output=$scratch/run/profile" >>"$scratch/times.fentry.off"
		i=$((i + 1))
	done
	for how in fentry hooks fentry.asleep hooks.asleep fentry.off; do
		cmp -s "$scratch/out.plain" "$scratch/out.$how" || echo "$name: with $how it prints something else"
	done
	least=$(sort -n "$scratch/times.plain" | head -1)
	printf '%s: plain %d ms\n' "$name" "$least"
	for row in "fentry|hooks return at once (-mfentry)" "fentry.asleep|zprof sleep (-mfentry)" "fentry.off|start=off (-mfentry)" \
		"hooks|empty hooks (-finstrument-functions)" "hooks.asleep|zprof sleep (-finstrument-functions)"; do
		sort -n "$scratch/times.${row%%|*}" | head -1 | awk -v plain="$least" -v what="${row#*|}" '{ printf "  %-44s %5.2f times\n", what, $1 / plain }'
	done
}

for program in jsoncpp sqlite; do (measure $program) || exit 1; done
