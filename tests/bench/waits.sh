#!/bin/sh
# SPDX-License-Identifier: MIT
# waits.sh - how near the times are that functions are said to have waited: beside elapsed time less CPU time, by the program's own clocks;
# beside strace, which watches the same run (and being traced is waiting, too); and on a core shared with two others, whose time is in no
# function. Prints ratios, each to a figure of the same run, and judges none: other work on the machine is in all of them.
#
#   ZPROF_BUILD=build tests/bench/waits.sh
zprof=$ZPROF_BUILD/zprof program=$ZPROF_BUILD/tests/programs/gcc-O2/waits
. "${0%/*}/../lib/waits.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

record() { # CLOCK ARGUMENT [COMMAND...]
	clock=$1 mode=$2; shift 2
	rm -f "$mode".*
	"$@" env "ZPROF_OPTIONS=output=$mode.%p,clock=$clock,offcpu=1" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "$program" "$mode" >truth || exit 1
	read -r function away _ cpu _ <truth
	"$zprof" report --json "$mode".* >json
}

ratio() { # SHOWN TRUE WHAT
	awk -v a="$1" -v b="$2" -v what="$3" 'BEGIN { printf "%6.3f  %-60s %10.1f ms of %.1f ms\n", b ? a / b : 0, what, a / 1e6, b / 1e6 }'
}

waited() { # FUNCTION...: ns
	for f; do of "$f" self_waited_ns; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

of_both() { # FUNCTION: ns on no processor
	for member in self_waited_ns self_preempted_ns; do of "$1" $member; done | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# CLOCK ARGUMENT CALL FUNCTION...: its time in a system call is what the functions waited
by_strace() {
	call=$3
	record "$1" "$2" strace -f -c -w --seccomp-bpf -e trace="$3" -o calls
	shift 3
	ratio "$(waited "$@")" "$(awk -v call="$call" '$NF == call { printf "%.0f\n", $2 * 1e9 }' calls)" "$mode, $clock: to strace's time in $call"
}

# What was waited for (offcpu=1), by name.
by_name() { # CLOCK CALL...
	record "$1" input strace -f -c -w --seccomp-bpf -e trace=recvfrom,clock_nanosleep -o calls
	shift
	for call; do
		ratio "$(of "[wait] $call" self_ns)" "$(awk -v call="$call" '$NF == call { printf "%.0f\n", $2 * 1e9 }' calls)" "by name, $clock: to strace's time in $call"
	done
}

core=$(taskset -cp $$ | sed 's/.*[:,-] *//')
for clock in exact count; do
	for mode in convoy input often; do
		record $clock $mode
		ratio "$(of_both "$function")" "$away" "$mode, $clock: to wall less CPU time"
	done
	by_strace $clock convoy futex acquire convoy # (pthread_join() waits in futex)
	by_strace $clock input recvfrom get
	by_name $clock recvfrom clock_nanosleep

	others=''
	for _ in 1 2; do
		taskset -c "$core" sh -c 'while :; do :; done' &
		others="$others $!"
	done
	record $clock busy taskset -c "$core"
	# shellcheck disable=SC2086
	kill $others
	wait
	ratio "$(of crunch self_ns)" "$cpu" "beside two others on a core, $clock: to CPU time"
	ratio "$(of crunch self_preempted_ns)" "$away" "beside two others on a core, $clock: to the others' time"
done
