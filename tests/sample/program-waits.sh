#!/bin/sh
# SPDX-License-Identifier: MIT
# program-waits.sh - when threads were on no processor: reports compared with the kernel's own counts, by what holds for certain. How
# near the times are is a bench's (tests/bench/waits.sh); whose each of them is, the made-up kernel's (tests/sample/notes_rows_absences.c).
#
# A function is entered and left within the interval that the program measures around it, so
#
#   - it was away no longer than that interval lasted;
#   - of the times that the kernel counted in it, none is missing: each is the function's, or, in its hooks, its caller's. (The kernel may
#     count a thread as preempted that was about to wait, and so both are added up.)
#
# And who asks to sleep sleeps at least so long, which a processor that is busy can only make longer. The thread is away all the while, but
# for the way into the kernel and out of it, of which 1 part in 5 is far more than there is, since the shortest sleep is of 50 us, and lasts
# twice as long.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
zprof=$ZPROF_BUILD/zprof program=$ZPROF_BUILD/tests/programs/gcc-O2/waits
. "${0%/*}/../lib/waits.sh"
cd "$TEST_TMP" || exit 1

record() { # CLOCK ARGUMENT
	clock=$1 mode=$2
	rm -f "$mode".*
	env "ZPROF_OPTIONS=output=$mode.%p,clock=$clock" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "$program" "$mode" >truth ||
		tap 1 "$mode runs"
	read -r function _ waits _ preemptions elapsed asleep <truth
	"$zprof" report --json "$mode".* >json
}

all() { # MEMBER...: the sum over the functions that `functions` names
	for f in $functions; do
		for member; do of "$f" "$member"; done
	done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

for clock in exact count; do
	for mode in convoy input often; do
		record $clock $mode
		[ "$(of main self_waits)" != null ] || { skip waits "the kernel takes no samples here"; finish; exit; }
		functions=$function
		away=$(all self_waited_ns self_preempted_ns) times=$(all self_waits self_preemptions) preempted=$(all self_preemptions)
		case $mode in
		convoy) functions='acquire member' sleeper=hold asleep=$((asleep * 12 / 13)) ;; # (rest() has the rest)
		input) functions='get input main' sleeper=writer ;;
		often) functions='doze often main' sleeper=doze ;;
		esac
		[ "$away" -le "$elapsed" ]
		tap $? "$mode, $clock: $function() was away no longer than its calls lasted"
		echo "# $away and $elapsed ns"
		[ "$preempted" -le "$preemptions" ]
		tap $? "$mode, $clock: no more preemptions than the kernel counted"
		echo "# $preempted and $preemptions"
		[ "$times" -le $((waits + preemptions)) ] && [ "$waits" -le "$(all self_waits self_preemptions)" ]
		tap $? "$mode, $clock: as many waits as the kernel counted"
		echo "# $times to $(all self_waits self_preemptions), and $waits"
		functions=$sleeper
		[ "$(all self_waited_ns self_preempted_ns)" -ge $((asleep / 5 * 4)) ]
		tap $? "$mode, $clock: $sleeper() was away for as long as it asked to sleep"
		echo "# $(all self_waited_ns self_preempted_ns) and $asleep ns"
	done
done
finish
