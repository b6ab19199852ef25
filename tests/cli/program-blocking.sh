#!/bin/sh
# SPDX-License-Identifier: MIT
# program-blocking.sh - samples do not interrupt any blocking call of the program, nor change its result: $CALLS (150) of each
# kind that signal(7) lists, sampled by the kernel's rings and by a timer.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
programs=$(cd "${0%/*}/../programs" && pwd)
cd "$TEST_TMP" || exit 2
${CC:-gcc} -O2 -g -pthread -finstrument-functions "$programs/blocking.c" -o blocking &&
	${CC:-gcc} -O2 "$programs/refuse.c" -o refuse || exit 1
calls=${CALLS:-150} number=0

# A line per kind: NAME CALLS INTERRUPTED WRONG
check() { # WHAT SAMPLER PREFIX [OPTION]
	number=$((number + 1))
	$3 env LD_PRELOAD="$ZPROF_BUILD/libzprof.so" ZPROF_OPTIONS="output=$TEST_TMP/p$number${4:+,$4}" timeout 3600 ./blocking "$calls" >"out$number" 2>"err$number"
	status=$?
	by=$("$ZPROF_BUILD/tests/sample_sums" "p$number" | sed -n 's/^sampler //p')
	awk -v n="$calls" '$(NF - 2) != n || $(NF - 1) || $NF {print; bad = 1} END {exit bad || NR != 39}' "out$number" >wrong && [ $status = 0 ] &&
		[ ! -s "err$number" ] && echo "$by" | grep -qx "$2" && echo "ok $number - $1" && return
	echo "not ok $number - $1"
	echo "# exit status $status, sampler $by, $(grep -c . "out$number") kinds"
	sed 's/^/# /' wrong "err$number"
}

check "no blocking call is interrupted by samples, taken as this machine allows" '[123]' "" &
wait_for=$!
number=1
# perf_event_open
check "nor by a timer's" 3 "./refuse 1 298"
wait $wait_for
number=2
check "nor with offcpu=1" '[123]' "" offcpu=1
# and the check finds interruptions if there are some
timeout 600 ./blocking "$calls" disturbed >disturbed
awk '$(NF - 1) > 0 {n++} END {exit NR != 39 || n < 10}' disturbed && echo "ok 4 - a handler of the program's own interrupts them" || {
	echo "not ok 4 - a handler of the program's own interrupts them"
	sed 's/^/# /' disturbed
}
echo 1..4
