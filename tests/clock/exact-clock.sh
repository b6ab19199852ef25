#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-clock.sh - a time stamp counter that cannot be trusted: not invariant, jumping, differing between processors, forbidden.
# The library notices and uses CLOCK_MONOTONIC, the profile says so, sums hold, and counts are right anyway.
. "${0%/*}/../lib/check.sh"

# uses WHAT VARIANT LIBRARY CLOCK STEPS [options=K=V,...] ARGUMENT...: CLOCK is what `info` and `report` must name, STEPS a pattern for how many
# readings went backwards.
uses() {
	what=$1 variant=$2 library=$3 clock=$4 steps=$5 options=
	shift 5
	case $1 in options=*) options=,${1#options=}; shift ;; esac
	folder=$TEST_TMP/run
	rm -rf "$folder"
	mkdir "$folder"
	bad=0
	TRUTH=$folder LD_PRELOAD=$ZPROF_BUILD/$library ZPROF_OPTIONS=clock=exact,sample=0,output=$folder/profile$options \
		"$ZPROF_BUILD/tests/programs/$variant/clock" "$@" >"$folder/out" 2>&1 || bad=1
	sed 's/^/# /' "$folder/out"
	"$ZPROF_BUILD/zprof" graph --json "$folder/profile" >"$folder/json" || bad=1
	"$ZPROF_BUILD/tests/check_counts" "$folder"/truth.* <"$folder/json" >"$folder/said" || bad=1
	"$ZPROF_BUILD/tests/check_conserved" "$folder/profile" >>"$folder/said" || bad=1
	# the losses that this test is about are told from others by the checker's words, not by its status
	"$ZPROF_BUILD/tests/check_laws" --repairs <"$folder/json" >"$folder/laws"
	grep -v -e '^loss_clock_back:' -e '^loss_calibration:' "$folder/laws" >>"$folder/said" && bad=1
	n=$(sed -n 's/^loss_clock_back: //p' "$folder/laws")
	case ${n:-0} in $steps) ;; *) bad=1; echo "# ${n:-0} readings went backwards" ;; esac
	"$ZPROF_BUILD/zprof" report "$folder/profile" >"$folder/report"
	"$ZPROF_BUILD/zprof" info "$folder/profile" >"$folder/info"
	grep -q "by the clock ($clock\|times: none$clock," "$folder/report" && grep -q "^  clock  *$clock" "$folder/info" || { bad=1; grep -h 'the clock' "$folder/report" | sed 's/^/# /'; }
	[ "${n:-0}" = 0 ] || grep -q 'note: the time stamp counter went backwards; CLOCK_MONOTONIC was used' "$folder/report" || { bad=1; echo "# not said"; }
	# five thousand calls cannot have lasted a minute
	grep -qE '[ ;][0-9,]+ s(;| in ).* calls' "$folder/report" && { bad=1; sed -n '2s/^/# /p' "$folder/report"; }
	grep -Eq '"(self|total)_ticks":-?[0-9]{12}' "$folder/json" && { bad=1; echo "# a step was charged to a zone"; }
	sed 's/^/# /' "$folder/said"
	tap $bad "$what"
}

uses "a counter that is a clock" gcc-O2 libzprof.so TSC 0 back 0
uses "not invariant" gcc-O2 tests/libzprof-distrusted.so CLOCK_MONOTONIC 0 back 0
uses "not invariant: threads and handlers" clang-O2 tests/libzprof-distrusted.so CLOCK_MONOTONIC 0 threads 0
uses "a counter that does not jump" gcc-O0 tests/libzprof-jump.so TSC 0 back 0
for variant in gcc-O0 clang-O2; do
	for ticks in 100000 1000000000 1000000000000 4611686018427387904; do
		uses "$variant: back by $ticks" $variant tests/libzprof-jump.so CLOCK_MONOTONIC '[1-9]*' back $ticks
		uses "$variant: threads and handlers, back by $ticks" $variant tests/libzprof-jump.so CLOCK_MONOTONIC '[1-9]*' threads $ticks
	done
done
for instructions in 10 20 30 40 50 60; do
	uses "back for the first event of a handler after the hook's instruction $instructions" gcc-O2 tests/libzprof-jump.so CLOCK_MONOTONIC '[1-9]*' nested 1000000000000 $instructions
done
uses "back by a step shorter than a call: cannot be seen, and breaks nothing" gcc-O2 tests/libzprof-jump.so '[TC]' '*' back 20
# There are a few readings at the start, then some 13,400 of the calibration, then the first events.
for readings in 2 3 5 7 9 11 12 13 14 20 1000 13300 14300 14310 14320; do
	uses "back before or while the hooks are calibrated, at reading $readings" gcc-O2 tests/libzprof-jump.so CLOCK_MONOTONIC '*' begin 1099511627776 $readings
done
for readings in 12 13 14 20 1000 13300; do
	uses "forward while the hooks are calibrated, at reading $readings" gcc-O2 tests/libzprof-jump.so CLOCK_MONOTONIC 0 begin -1099511627776 $readings
done
if [ "$(nproc)" -gt 1 ] && taskset -c 1 true 2>/dev/null; then
	# (Larger than any of the hundred ways from one to the other may take, whoever else has the processors.)
	for ticks in 1000000000 10000000000 -10000000000; do
		uses "processors that differ by $ticks" gcc-O2 tests/libzprof-jump.so CLOCK_MONOTONIC '[1-9]*' processors $ticks
	done
else
	skip "processors that differ" "there is only one here"
fi
check "the program forbids the counter before the first call, for itself and its child" only=gcc-O2 clock forbid first
uses "the program forbids the counter later" gcc-O2 libzprof.so CLOCK_MONOTONIC 0 forbid later
uses "clock=count uses no clock" gcc-O2 tests/libzprof-jump.so '' 0 options=clock=count back 1000000000
finish
