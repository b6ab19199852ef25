#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of programs whose functions end without a hook: what a report says of times that are not certain, and what it does not say.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/waits.sh"
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 1

profile() { # NAME FLAGS [LINE [OF_MAIN]]: f has 100 ms of samples, and LINE; main has OF_MAIN; the thread is in g, and has waited 30 ms
	"$ZPROF_BUILD/tests/make_profile" "$1" <<-END || exit 1
		clock tsc 1000000000
		mode count
		sampler 1 0 0
		flags finished $2
		command ./prog
		thread 17 main 1
		  outside 0
		away 30000000 3 0 0
		  main 1 0
		$4
		    f 1 0
		seen 100 0 0 1000000
		$3
		      g 2 0 open
	END
	"$zprof" report "$1" >"$1.text" && "$zprof" report --json "$1" >json
}

profile certain entries
certain=$(of f error_ns) total=$(of f total_error_ns) caller=$(of main error_ns)
! grep -q "may belong" certain.text
tap $? "no time is in doubt: no note"
profile unsure entries "unsure 20 20000000" "unsure 0 0 20000000"
grep -q "functions end without a hook: 20 % of the time may belong to a caller of the function" unsure.text
tap $? "the head says how much time is in doubt"
# A bar is the square root of the error's square and of twice the deviation's, which is 10 ms for 100 samples of 1 ms.
wider() { # BAR CERTAIN CHANCE
	awk -v bar="$1" -v certain="$2" -v chance="$3" 'BEGIN {
		wider = sqrt(chance ^ 2 + (sqrt(certain ^ 2 - chance ^ 2) + 20e6) ^ 2)
		exit !(bar > wider - 1 && bar < wider + 1)
	}'
	tap $? "$4"
	echo "# $1 and $2"
}
wider "$(of f error_ns)" "$certain" 20e6 "the error bar is wider by the time in doubt"
wider "$(of f total_error_ns)" "$total" 20e6 "... of the function's total, too"
awk -v bar="$(of main error_ns)" -v self="$(of main self_ns)" 'BEGIN { exit !(self + bar >= 20e6) }'
tap $? "... and that of a caller, which may have that time in its place"
echo "# $(of main self_ns) +- $(of main error_ns); $caller"
! grep -q "(open)" unsure.text
tap $? "no function is called open"
grep -q "which of them waited is not known for 30.0 ms" unsure.text
tap $? "the head says which waits are no function's"
profile exits fentry
grep -q "g (open)" exits.text && ! grep -q "end without a hook" exits.text
tap $? "with exits, the report says what is open, and no more"
finish
