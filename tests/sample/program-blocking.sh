#!/bin/sh
# SPDX-License-Identifier: MIT
# program-blocking.sh - samples do not interrupt any blocking call of the program, nor change its result: $CALLS (150) of each
# kind that signal(7) lists, sampled by the kernel's rings and by a timer.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/tap.sh"
programs=$(cd "${0%/*}/../programs" && pwd)
cd "$TEST_TMP" || exit 2
${CC:-gcc} -O2 -g -pthread -finstrument-functions "$programs/blocking.c" -o blocking &&
	${CC:-gcc} -O2 "$programs/refuse.c" -o refuse || exit 1
calls=${CALLS:-150}

# A line per kind: NAME CALLS INTERRUPTED WRONG
run() { # NUMBER PREFIX [OPTION]
	$2 env LD_PRELOAD="$ZPROF_BUILD/libzprof.so" ZPROF_OPTIONS="output=$TEST_TMP/p$1${3:+,$3}" timeout 3600 ./blocking "$calls" >"out$1" 2>"err$1"
	echo $? >"status$1"
}
check() { # WHAT NUMBER SAMPLER: of that run
	status=$(cat "status$2") by=$("$ZPROF_BUILD/tests/sample_sums" "p$2" | sed -n 's/^sampler //p')
	awk -v n="$calls" '$(NF - 2) != n || $(NF - 1) || $NF {print; bad = 1} END {exit bad || NR != 39}' "out$2" >wrong && [ "$status" = 0 ] &&
		[ ! -s "err$2" ] && echo "$by" | grep -qx "$3"
	tap $? "$1" || {
		echo "# exit status $status, sampler $by, $(grep -c . "out$2") kinds"
		sed 's/^/# /' wrong "err$2"
	}
}

run 1 "" &
wait_for=$!
run 2 "./refuse 1 perf_event_open"
wait $wait_for
run 3 "" offcpu=1
check "no blocking call is interrupted by samples, taken as this machine allows" 1 '[123]'
check "nor by a timer's" 2 3
check "nor with offcpu=1" 3 '[123]'
# and the check finds interruptions if there are some
timeout 600 ./blocking "$calls" disturbed >disturbed
awk '$(NF - 1) > 0 {n++} END {exit NR != 39 || n < 10}' disturbed
tap $? "a handler of the program's own interrupts them" || sed 's/^/# /' disturbed
finish
