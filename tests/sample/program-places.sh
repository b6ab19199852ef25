#!/bin/sh
# SPDX-License-Identifier: MIT
# program-places.sh - a program whose functions end without a hook: samples in libc belong to the function that called it, not to the one
# that was entered last, and so do samples in a stub of the linkage table (tests/programs/places.c). What holds for certain:
#
#   - fill_once() and the like run for some nanoseconds, once. So each has one sample at most, and others only as time whose place is not
#     known because a walk ended too early, which its error bar contains; and doze_once() waits for nothing;
#   - all of a function's CPU time is charged or left for the next sample (tests/lib/samples.sh), so most of what the program has
#     measured for a function is the function's. Half of it is asked for, because machines take processors away from their guests;
#   - outside of the kernel, a function that calls no other for long fills its ring. Where the place of the time after that is not known,
#     the error bars of all functions that may have this time contain it (preload/sample/notes.h).
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
. "${0%/*}/../lib/samples.sh"
. "${0%/*}/../lib/waits.sh"
zprof=$ZPROF_BUILD/zprof
build_sampled places -Wp,-p -mfentry

places() { # WHO PREFIX
	rm -f p p.* copy
	$2 env LD_PRELOAD="$work/libzprof.so" ZPROF_OPTIONS="output=$work/p" ./places >truth || tap 1 "$1: the program runs"
	cat p >copy && "$zprof" report --raw --json copy >json
	[ "$(of main calls)" = 1 ]
	tap $? "$1: a profile"
	"$zprof" report copy >report && ! grep -q -e "(open)" -e "without returning" report
	tap $? "$1: the report calls no function open, and no call left without returning"
	for f in fill take say get count stub; do
		once=$(of ${f}_once self_samples)
		took=$(sed -n "s/^$f //p" truth) has=$(of $f self_ns) off=0
		[ "$1" != "outside of the kernel" ] || off=$(of $f error_ns)
		[ "${once:-0}" -le 1 ] || awk -v self="$(of ${f}_once self_ns)" -v off="$(of ${f}_once error_ns)" 'BEGIN { exit !(self <= off) }'
		tap $? "$1: ${f}_once() has no samples of ${f}()"
		[ "$1 $f" != "outside of the kernel get" ] || continue # read() spends its time inside
		[ "$1" != "by a timer" ] || continue # its signal comes only if a tick of the kernel finds the thread running
		awk -v took="$took" -v has="$has" -v off="${off:-0}" 'BEGIN { exit !(has + off > 0 && has + off > took / 2) }'
		tap $? "$1: ${f}() has the time that it spent in libc"
		echo "# $took ns, shown $has +- ${off:-0}; ${f}_once: ${once:-0} samples"
	done
	[ "$(of doze_once self_waits)" = 0 ] || [ "$1" = "by a timer" ]
	tap $? "$1: doze_once() has not waited for doze()"
	echo "# doze: $(of doze self_waits) waits"
}

places "as we are" ""
[ -z "$as_nobody" ] || places "outside of the kernel" "$as_nobody"
places "by a timer" "$refuse_ring"
finish
