#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of programs whose functions end without a hook: what a report says of times that are not certain, and what it does not say.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/waits.sh"
zprof=$ZPROF_BUILD/zprof
cd "$TEST_TMP" || exit 1

profile() { # NAME FLAGS [LINE]: f has 100 ms of samples, and LINE; the thread is in g, and has waited 30 ms
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
		    f 1 0
		seen 100 0 0 1000000
		$3
		      g 2 0 open
	END
	"$zprof" report "$1" >"$1.text" && "$zprof" report --json "$1" >json
}

profile certain entries
certain=$(of f error_ns)
! grep -q "may belong" certain.text
tap $? "no time is in doubt: no note"
profile unsure entries "unsure 20 20000000"
grep -q "functions end without a hook: 20 % of the time may belong to a callee or a caller" unsure.text
tap $? "the head says how much time is in doubt"
# A bar is the square root of the error's square and of twice the deviation's, which is 10 ms for 100 samples of 1 ms.
awk -v bar="$(of f error_ns)" -v certain="$certain" 'BEGIN {
	chance = 20e6 ^ 2
	wider = sqrt(chance + (sqrt(certain ^ 2 - chance) + 20e6) ^ 2)
	exit !(bar > wider - 1 && bar < wider + 1)
}'
tap $? "the error bar is wider by the time in doubt"
echo "# $(of f error_ns) and $certain"
! grep -q "(open)" unsure.text
tap $? "no function is called open"
grep -q "which of them waited is not known for 30.0 ms" unsure.text
tap $? "the head says which waits are no function's"
profile exits fentry
grep -q "g (open)" exits.text && ! grep -q "end without a hook" exits.text
tap $? "with exits, the report says what is open, and no more"
finish
