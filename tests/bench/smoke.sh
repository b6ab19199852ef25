#!/bin/sh
# SPDX-License-Identifier: MIT
# The benchmark's driver, on slices too short to mean anything: every cell is there, and none without a measurement has a
# figure.
: "${ZPROF_BUILD:?is set by tests/run}"
. "${0%/*}/../lib/tap.sh"
cd "${0%/*}/../.." || exit 2
work=${TEST_TMP:?is set by tests/run}
bench=$ZPROF_BUILD/bench/bench
quick() { # JSON BUILD_DIR ARGUMENT...
	json=$1 build=$2
	shift 2
	"$bench" --rounds 1 --slices 1 --pairs 2000 "$@" --json "$json" "$build" >"$json.said" 2>&1
}
# cells JSON MEMBER: how many cells have it
cells() {
	awk -v member="\"$2\":" '/"workload":/ { inside = 1 } inside && index($0, member) { n++ } /}/ { inside = 0 } END { print n + 0 }' "$1"
}

run=$work/run.json
quick "$run" "$ZPROF_BUILD" --variant none --variant "empty hooks" --variant "rdtsc + store" --variant count --variant exact \
	--variant "fentry: exact" --variant gprof
holds "a run ends well" [ $? = 0 ]
is "every workload is there under every variant" 70 "$(cells "$run" variant)"
is "each cell has a figure or a reason" 70 $(($(cells "$run" min_slice_ns) + $(cells "$run" missing)))
holds "the small workloads all have figures" [ "$(cells "$run" added_min_ns)" -ge 48 ]
holds "the limits are judged" grep -q 'exact: times the rdtsc and store floor' "$run"
"$bench" --from "$run" | diff "$run.said" - >"$work/difference"
holds "a run can be printed again from its JSON" [ ! -s "$work/difference" ]
"$bench" --plot "$run" >"$work/plot.svg"
is "and drawn" "48 </svg>" "$(grep -c "<circle" "$work/plot.svg") $(tail -1 "$work/plot.svg")"

# least VARIABLE=VALUE...: nanoseconds of the quickest of many short slices
least() {
	(cd "$work" && env "$@" "$ZPROF_BUILD/bench/leaf.fentry" 2000 1000) | sed 's/.*least_ns \([0-9]*\).*/\1/'
}
cheap() { # VARIABLE=VALUE...: does a call cost about what a call of an empty hook costs?
	empty=$(least LD_PRELOAD="$ZPROF_BUILD/bench/floor_empty.so") off=$(least "$@" 2>"$work/said")
	[ $((off * 2)) -lt $((empty * 3)) ] || { echo "# $off ns, and $empty ns with empty hooks"; return 1; }
}
holds "hooks that record nothing cost what empty hooks do" cheap A=B
holds "also after an option that is refused" cheap ZPROF_OPTIONS=nonsense=1

# a build folder without the library
mkdir -p "$work/build/bench"
for f in leaf.plain leaf.hooks leaf.fentry floor_empty.so floor_tsc.so floor_count.so; do
	ln -s "$ZPROF_BUILD/bench/$f" "$work/build/bench/$f"
done
quick "$work/none.json" "$work/build" --workload leaf --variant none --variant exact --variant count
is "a tool that recorded nothing has no figure" 2 "$(grep -c '"missing": "not available' "$work/none.json")"
holds "a workload that does not exist is named" \
	sh -c '"$1" --workload nosuch . 2>&1 | grep -q "there is no workload .nosuch."' sh "$bench"
finish
