#!/bin/sh
# SPDX-License-Identifier: MIT
# program-processor.sh - the processor's counters, by function (events=). In a library made for this test (tests/tools/processor_made_up.c),
# `branch-misses` are page faults, of which each seventh has a note, `instructions` nanoseconds of CPU time, and `cache-misses` nothing that
# any machine has. So of events.c, beside the kernel's counts, holds for certain:
#
#   - a function that has faults between two hooks alone has all of these but for one period before and one behind, though its ring is full
#     after some hundreds, or its thread ends then;
#   - that holds for faults behind a call, too, where the place of each tells whose it is;
#   - where each call has one fault, faults of hooks come between. A note may be of one of these, and then tells of up to six others;
#   - a function that computes has no faults, but for those of its own code and stack (program-events.sh), which may end a period;
#   - what happens in a pause is nobody's;
#   - numbers are multiples of the period, and their sum is the kernel's, within a period for each ring that a thread has, and the faults
#     that have no note (program-events.sh).
#
# All that needs rings of the full size: in a small one, another event may fill the ring again before a note comes, and the missing ones are
# then a loss. So the user who may not look into the kernel is one who has no other rings ($as_one).
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/samples.sh"
. "${0%/*}/../lib/tap.sh"
zprof=$ZPROF_BUILD/zprof here=$(cd "${0%/*}" && pwd)
cp "$ZPROF_BUILD/tests/libzprof-made-up.so" .
. "$here/../lib/events.sh"

run() { # LIBRARY OPTIONS PREFIX
	rm -rf p p.* counts/* err
	$3 env LD_PRELOAD="$work/$1" ZPROF_OPTIONS="output=$work/p,$2" ./events counts 2>err && [ ! -s err ] &&
		cat p >main && cat p.2 >child && "$zprof" report --json main >json && "$zprof" report --json child >json.child &&
		"$zprof" report main >report
}

stretch() { # WHO FUNCTION [FILE]: all its faults lie in one stretch
	between "$1: $2()" "$(of "$2" branch-misses self "$3")" $(($(truth "$2" inner) - 7)) $(($(truth "$2" outer) + 7))
}

counted() { # WHO OPTIONS PREFIX
	run libzprof-made-up.so "events=branch-misses instructions cache-misses${2:+,$2}" "$3"
	tap $? "$1: the program runs" || sed 's/^/# /' err
	stretch "$1" stretch
	stretch "$1" behind
	stretch "$1" in_thread
	stretch "$1" in_child json.child
	hooks=$(($(truth touch_each outer) - $(truth touch_each inner)))
	between "$1: a function with one fault in each call" "$(of touch branch-misses self)" $(($(truth touch_each inner) - 6 * hooks - 7)) \
		$(($(truth touch_each outer) + 7))
	between "$1: a function that computes has none" "$(of compute branch-misses self)" 0 $((($(truth compute inner) + 10 + 6) / 7 * 7 + 7))
	left=$(($(truth work outer) - $(truth stretch inner) - $(truth touch_each inner) - $(truth compute inner) - $(truth behind inner) -
		$(truth in_pause inner)))
	between "$1: a pause's faults are nobody's" "$(of work branch-misses self)" 0 $((left + 6 * hooks + 14))
	between "$1: all faults are somebody's" $(($(of work branch-misses total) + $(of '[zprof]' branch-misses self))) \
		$(($(truth work outer) - $(truth in_pause inner) - 40 - 6 * 7)) $(($(truth work outer) + $(truth in_thread outer) + 200 + 6 * 7))
	[ $(($(of stretch branch-misses self) % 7)) = 0 ] && [ $(($(of touch branch-misses self) % 7)) = 0 ]
	tap $? "$1: each is a sum of periods"
	time=$(of compute instructions self)
	[ "${time:-0}" -gt 0 ] && [ $((time % 100003)) = 0 ]
	tap $? "$1: another event has a period of its own" || echo "# $time"
	is "$1: what the machine does not count has one line" 1 \
		"$(grep -c '^note: cache-misses are not counted (events=): this machine has no such counter, error [0-9]*$' report)"
	is "$1: ... and no numbers" "" "$(of stretch cache-misses self)"
	is "$1: a line has the period" 1 "$(grep -c '^note: branch-misses are a sum of samples .* the square root of N times 7$' report)"
	[ "$(grep -c '^"losses":{},$' json)$(grep -c '^"losses":{},$' json.child)" = 11 ]
	tap $? "$1: nothing is lost" || grep '^"losses"' json json.child | sed 's/^/# /'
}

build -finstrument-functions
for clock in count exact; do
	counted "$clock" clock=$clock ""
done
[ -z "$as_one" ] || counted "outside of the kernel" "" "$as_one"
counted "without io_uring" "" "./refuse 38 io_uring_setup"

run libzprof-made-up.so "events=page-faults branch-misses instructions migrations" ""
tap $? "the program runs with four events"
between "an event beside page faults" "$(of stretch branch-misses self)" $(($(truth stretch inner) - 7)) $(($(truth stretch outer) + 7))
between "page faults beside it" "$(of stretch page-faults self)" "$(truth stretch inner)" "$(truth stretch outer)"
run libzprof-made-up.so "events=page-faults branch-misses instructions migrations context-switches" ""
tap $? "the program runs with five events"
is "the fifth has no column, and a line" 1 "$(grep -c '^note: branch-misses are not counted (events=): the number of counters in a profile is 4$' report)"

build -Wp,-p -mfentry
counted "entries alone" "" ""
[ -z "$as_one" ] || counted "entries alone, outside of the kernel" "" "$as_one"

# The library as it is counts on a machine that has these counters, and says so on others.
build -finstrument-functions
run libzprof.so "events=instructions cache-misses branch-misses page-faults" ""
tap $? "the program runs with the machine's own counters"
between "page faults are counted, whatever the machine has" "$(of stretch page-faults self)" "$(truth stretch inner)" "$(truth stretch outer)"
for event in instructions cache-misses branch-misses; do
	if [ "$(of work $event total)" ]; then
		is "$event have a period" 1 "$(grep -c "^note: $event are a sum of samples" report)"
	else
		is "$event are not counted, and a line says so" 1 "$(grep -c "^note: $event are not counted (events=): " report)"
	fi
done
finish
