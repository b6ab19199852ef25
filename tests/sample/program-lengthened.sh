#!/bin/sh
# SPDX-License-Identifier: MIT
# program-lengthened.sh - the error bars of waits, of a C++ program with hooks of either front end: waits for locks may be the hooks' doing,
# sleeps and the waits of a process with one thread may not (report/core/times/lengthened.h). No time is judged by its length.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/waits.sh"
source=$(cd "${0%/*}" && pwd)/lengthened.cc
cd "$TEST_TMP" || exit 1

# whole MEMBER [FILE]: of the whole profile
whole() {
	sed -n "s/^\"times\":.*\"$1\":\([0-9.e+-]*\|null\)[,}].*/\1/p" "${2:-json}"
}

record() { # PROGRAM MODE [OPTION...]
	program=$1 mode=$2
	shift 2
	rm -f p.zp && "$zprof" record --quiet -o p.zp "$@" "./$program" "$mode" >/dev/null || tap 1 "$program $mode runs"
	"$zprof" report --json p.zp >json
	"$zprof" report --time wait p.zp >text
}

less_than() { # A B
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'
}

entries=--fentry
[ "$(uname -m)" = x86_64 ] || entries=
for kind in '' $entries; do
	name=${kind:-source}
	# shellcheck disable=SC2046
	g++ -std=c++17 -O2 $("$zprof" cflags --cc g++ $kind) "$source" -o "by$kind" -pthread || exit 1

	record "by$kind" alone
	if [ "$(whole whole_waited_ns)" = null ]; then
		skip "$name: bars of waits" "the kernel takes no samples here"
		continue
	fi
	waits=$(whole whole_waits)
	[ "$waits" -gt 0 ] && ! less_than 0 "$(whole whole_waited_error_ns)" && ! grep -q 'hooks may have caused' text
	tap $? "$name: the waits of one thread are exact"

	# The first thread waits in join() for threads that run for 0.1 s each, in which samples find them: so there are a wait and a doubt.
	record "by$kind" locks
	time=$(whole whole_waited_ns) bar=$(whole whole_waited_error_ns)
	less_than 0 "$bar" && less_than "$bar" "$time"
	tap $? "$name: the bar of waits among threads is above nothing, and below the waits"
	echo "# $time +- $bar ns"
	awk -F'"self_waited_error_ns":' 'NF > 1 { sum += $2 } END { printf "%f\n", sum }' json >sum
	less_than 0 "$(cat sum)" && less_than "$(cat sum)" "$(awk -v b="$bar" 'BEGIN { print b * 1.0001 }')"
	tap $? "$name: the bars of functions add up to no more than that of the whole, which has what is outside of functions"
	less_than 0 "$(of main total_waited_error_ns)"
	tap $? "$name: a total has the doubts of its parts"
	less_than "$bar" "$(awk -v t="$time" 'BEGIN { print t / 100 }')" || grep -q '^Waiting: .*; hooks may have caused up to .* of it' text
	tap $? "$name: the head says how much hooks may have added"
	rm -f m.zp && "$zprof" merge -o m.zp p.zp && "$zprof" report --json m.zp >merged
	near "$(whole whole_waited_error_ns merged)" "$bar" "$name: a merged profile has the same bar" 0.01
	"$zprof" report --raw --json p.zp >raw
	! less_than 0 "$(whole whole_waited_error_ns raw)"
	tap $? "$name: raw times have none"

	record "by$kind" locks --offcpu=1
	if grep -q 'what was waited for is not known' text; then
		skip "$name: what was waited for" "the kernel does not let this user see it"
		continue
	fi
	slept=$(of '[wait] clock_nanosleep' self_waited_ns)
	[ -n "$slept" ] && ! less_than 0 "$(of '[wait] clock_nanosleep' self_waited_error_ns)"
	tap $? "$name, offcpu=1: a sleep is exact, though other threads have hooks"
	less_than 0 "$(of '[wait] futex' self_waited_error_ns)"
	tap $? "$name, offcpu=1: a join is not"
done
finish
