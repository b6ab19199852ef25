#!/bin/sh
# SPDX-License-Identifier: MIT
# program-adaptive.sh - clock=adaptive, clock=count and throttle=: counts are as exact as ever, and estimated times are right on average.
. "${0%/*}/../programs/check.sh"

for clock in adaptive count; do
	check "clock=$clock: a chain of calls" options=clock=$clock chain
	check "clock=$clock: two threads, 5 million calls each" only=gcc-O2 options=clock=$clock threads
	check "clock=$clock: longjmp, out of handlers too" only='*-O2' may_repair=1 options=clock=$clock jumps
	check "clock=$clock: C++ exceptions" only='*-O2' may_repair=1 options=clock=$clock exceptions
	check "clock=$clock: signals at 10 kHz, nested" only='*-O2' may_repair=1 options=clock=$clock signals normal 3
	check "clock=$clock: a handler after every instruction of the hooks" only=gcc-O2 may_repair=1 options=clock=$clock steps 1
	check "clock=$clock: coroutines" only='*-O2' may_repair=1 options=clock=$clock stacks
	check "clock=$clock: fork" only='*-O2' options=clock=$clock forks fork
	check "clock=$clock: recursion 100,000 deep" only='*-O2' options=clock=$clock deep
	check "clock=$clock: contexts spent" only=gcc-O2 contexts=2000 options=clock=$clock,max_nodes=2000 bounded diamonds 5000
done
check "throttle=: counts" only='*-O2' options=throttle=1000 threads

# By a clock of which every reading is one tick, a segment that is timed takes one: so what is charged for a zone is, on average, how many
# segments it has, one for each time it is entered and one for each time it is returned to. The chance of an error is one in a million.
estimates() { # WHAT PROGRAM...
	what=$1
	shift
	rm -f "$TEST_TMP/profile"
	TRUTH=$TEST_TMP ZPROF_OPTIONS=clock=adaptive,output=$TEST_TMP/profile LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so "$@" >/dev/null
	"$ZPROF_BUILD/zprof" report --json "$TEST_TMP/profile" >"$TEST_TMP/json"
	"$ZPROF_BUILD/zprof" graph --json "$TEST_TMP/profile" | tr '{' '\n' | awk '
		function field(name) { return match($0, "\"" name "\":-?[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
		/^"id":/ { ticks[field("id")] = field("self_ticks"); segments[field("id")] += field("calls") }
		/^"caller":/ { segments[field("caller")] += field("calls") }
		END {
			for (id in ticks) {
				off = ticks[id] - segments[id]
				# one in 64 is timed at most: the variance of a sum is below 64 for each segment
				allowed = 5 * sqrt(64 * segments[id]) + 64
				if (segments[id] > 2000) { compared++; if (off > allowed || -off > allowed) { print "# " ticks[id] " ticks of " segments[id] " segments"; bad = 1 } }
				else if (off > 1 || off < -1) { print "# rare, and " ticks[id] " ticks of " segments[id] " segments"; bad = 1 }
			}
			if (!compared) { print "# nothing compared"; bad = 1 }
			exit bad
		}'
	tap $? "$what"
}
estimates "estimates are right: a function called five million times" "$ZPROF_BUILD/tests/programs/gcc-O2/threads"
estimates "estimates are right: a random walk in the overflow table" "$ZPROF_BUILD/tests/programs/gcc-O2/bounded" random 300000
estimates "estimates are right: two functions that call each other" "$ZPROF_BUILD/tests/programs/gcc-O2/bounded" mutual 1000000
finish
