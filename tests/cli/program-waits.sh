#!/bin/sh
# SPDX-License-Identifier: MIT
# program-waits.sh - when threads were on no processor: reports compared with the kernel's own counts (wall less CPU time,
# context switches), and with strace, which watches the same run. WAITS_PERCENT is how far times may differ; under strace,
# five times as far. WAITS_SHARED=1 also tests a core shared with two others, which needs an otherwise idle machine.
: "${ZPROF_BUILD:?is set by tests/run}" "${TEST_TMP:?is set by tests/run}"
zprof=$ZPROF_BUILD/zprof program=$ZPROF_BUILD/tests/programs/gcc-O2/waits
. "${0%/*}/waits.sh"
cd "$TEST_TMP" || exit 1

record() { # CLOCK ARGUMENT [COMMAND...]
	clock=$1 mode=$2; shift 2
	rm -f "$mode".*
	"$@" env "ZPROF_OPTIONS=output=$mode.%p,clock=$clock" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "$program" "$mode" >truth ||
		tap 1 "$mode runs"
	read -r function away waits cpu preemptions <truth
	"$zprof" report --json "$mode".* >json
}

# by_strace CLOCK ARGUMENT CALL FUNCTION...: its time in a system call is what the functions waited; being traced is waiting, too
by_strace() {
	call=$3
	record "$1" "$2" strace -f -c -w --seccomp-bpf -e trace="$3" -o calls
	shift 3
	for f; do of "$f" self_waited_ns; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }' >sum
	near "$(cat sum)" "$(awk -v call="$call" '$NF == call { printf "%.0f\n", $2 * 1e9 }' calls)" \
		"$mode, $clock: strace's time in $call" $loose
}

for clock in exact count; do
	for mode in convoy input often; do
		record $clock $mode
		[ "$(of main self_waits)" != null ] || { echo "ok $((number + 1)) - waits # SKIP the kernel takes no samples here"; exit 0; }
		# A thread is on no processor while it waits, and while others have been given its own.
		awk -v a="$(of "$function" self_waited_ns)" -v b="$(of "$function" self_preempted_ns)" 'BEGIN { printf "%.0f\n", a + b }' >sum
		near "$(cat sum)" "$away" "$mode, $clock: wall less CPU time"
		[ "$(of "$function" self_preemptions)" -le "$preemptions" ]
		tap $? "$mode, $clock: no more preemptions than the kernel counted"
		echo "# $(of "$function" self_preemptions) and $preemptions"
		its=$(of "$function" self_waits)
		case $mode in
		convoy) # measured with the hooks; they may wait for room in the profile, before the call counts as acquire()'s or after
			with_callers=$((its + $(of member self_waits)))
			[ "$its" -le "$waits" ] && [ "$waits" -le $with_callers ]
			tap $? "$mode, $clock: as many waits as the kernel counted"
			echo "# $its to $with_callers, and $waits"
			;;
		*) near "$its" "$waits" "$mode, $clock: as many waits as the kernel counted" 2 ;;
		esac
	done
	# (pthread_join() waits in futex.)
	by_strace $clock convoy futex acquire convoy
	by_strace $clock input recvfrom get
done

[ "${WAITS_SHARED:-}" ] || { echo "1..$number"; exit 0; }
# One core, shared with two others: their time on it is in no function.
core=$(taskset -cp $$ | sed 's/.*[:,-] *//')
for clock in exact count; do
	for _ in 1 2; do
		taskset -c "$core" sh -c 'while :; do :; done' &
		others="${others:-} $!"
	done
	record $clock busy taskset -c "$core"
	# shellcheck disable=SC2086
	kill $others
	wait
	others=''
	near "$(of crunch self_ns)" "$cpu" "beside two others on a core, $clock: only the time on it" $loose
	near "$(of crunch self_preempted_ns)" "$away" "beside two others on a core, $clock: the rest was theirs" $loose
done
echo "1..$number"
