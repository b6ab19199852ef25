#!/bin/sh
# SPDX-License-Identifier: MIT
# program-bounded.sh - programs with more contexts than max_nodes: calls, self times and arcs stay exact.
. "${0%/*}/../lib/check.sh"

check "two functions call each other, 40 deep, recursion folded" only=gcc-O2 contexts=50000 options=max_nodes=50000 bounded mutual 2000000
check "the same, folded from the third level on" contexts=2000 options=recursion=2 bounded mutual 100000
check "the same, in 64 contexts" contexts=64 options=max_nodes=64 bounded mutual 100000
check "two hundred functions call each other at random" only=gcc-O2 contexts=400000 options=max_nodes=400000 bounded random 300000
check "a chain of 25 diamonds" only='*-O2' contexts=2000 options=max_nodes=2000 bounded diamonds 20000
check "a chain of 25 diamonds, unbounded" only='gcc-O2' bounded diamonds 20000

# Each reading of the clock is one tick, so a run with enough contexts and one without have the same times: self times must be
# equal, and so must totals, except those marked as minimal.
totals() { # MOST-CONTEXTS ARGUMENT...: name, self, total, 1 where minimal
	most=$1
	shift
	rm -f "$TEST_TMP/profile"
	TRUTH=$TEST_TMP ZPROF_OPTIONS=max_nodes=$most,output=$TEST_TMP/profile LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so \
		"$ZPROF_BUILD/tests/programs/gcc-O2/bounded" "$@" >/dev/null
	"$ZPROF_BUILD/zprof" report --json "$TEST_TMP/profile" | tr '{' '\n' | awk '
		function field(name) { return match($0, "\"" name "\":\"?[^,\"]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
		/^"id":/ { print field("name"), field("self_ticks"), field("total_ticks"), /"total_is_minimum":true/ ? 1 : 0 }' | grep -v zprof | sort
}
same_totals() { # WHAT some|none CONTEXTS ARGUMENT...: whether some totals are marked
	what=$1 marked=$2 contexts=$3
	shift 3
	totals 4000000 "$@" >"$TEST_TMP/whole"
	totals "$contexts" "$@" >"$TEST_TMP/bounded"
	join -j 1 "$TEST_TMP/whole" "$TEST_TMP/bounded" | awk -v marked="$marked" -v functions="$(wc -l <"$TEST_TMP/whole")" '
		$4 { print "# marked, with contexts enough: " $0; bad = 1 }
		$2 != $5 { print "# self differs: " $0; bad = 1 }
		$7 ? $6 > $3 : $6 != $3 { print "# total differs: " $0; bad = 1 }
		{ n += $7 }
		END {
			if (NR != functions || !NR) { print "# " NR " functions of " functions; bad = 1 }
			if ((n > 0) != (marked == "some")) { print "# " n + 0 " totals are marked"; bad = 1 }
			exit bad
		}' >"$TEST_TMP/said"
	bad=$?
	head -20 "$TEST_TMP/said"
	tap $bad "$what"
}
same_totals "mutual recursion folded: every total exact" none 40000 mutual 200000
same_totals "mutual recursion in 64 contexts, folded: every total exact" none 64 mutual 200000
same_totals "200 functions at random: totals exact or marked" some 320000 random 350000
same_totals "a chain of 25 diamonds: totals exact or marked" some 2000 diamonds 5000
finish
