#!/bin/sh
# SPDX-License-Identifier: MIT
# program-samples.sh - samples of a process: what takes them here, as another user and where system calls are refused; they add up
# to the CPU time; and the program, whatever it does, does not notice.
. "${0%/*}/../lib/check.sh"
. "${0%/*}/../lib/samples.sh"
build_sampled sampled -finstrument-functions
build_sampled urgent -finstrument-functions

# ---- what takes them, and that they add up

by() { # WHAT PREFIX SAMPLER
	for clock in exact count; do
		bad=0
		profile clock=$clock "$2" ./sampled times || bad=1
		equals sampler "$3" "$(sum sampler)" || bad=1
		equals "threads not sampled" 0 "$(sum loss_samplers)" || bad=1
		accounts || bad=1
		# (More than half of the 0.3 s of calls() is in hooks. That none of n samples is, happens once in 2^n: of the 30 that a slow
		# timer takes, once in 10^9; of the kernel's 300, never. For the six of these: 2 in 10^9.)
		[ "$(sum hook)" -gt 0 ] || { bad=1; echo "# no sample in a hook, of $(sum samples)"; }
		[ $clock = exact ] || [ "$3" = 3 ] || same_time spin || bad=1
		# (A sleep of 0.1 s, less the CPU time that it takes to fall asleep.)
		[ "$3" = 3 ] || [ $(($(sum waited) + $(sum preempted))) -ge 95000000 ] || { bad=1; echo "# away: $(sum waited), $(sum preempted)"; }
		tap $bad "$1, clock=$clock: samples add up to the CPU time"
	done
}

by "as we are" "" "$(./sampled probe)"
by "as another user" "$as_nobody" "$($as_nobody ./sampled probe)"
by "where perf_event_open is refused" "$refuse_ring" 3

if [ "$(./sampled probe)" != 3 ]; then
	bad=0
	profile clock=count "" ./sampled long || bad=1
	same_time early across late || bad=1
	accounts || bad=1
	tap $bad "long stretches without a hook have all of their time"
	bad=0
	profile clock=count "" ./sampled paused || bad=1
	same_time watched:3 || bad=1
	tap $bad "and those between pauses, whose time no function gets"
fi

# A busy process beside it on one processor. That their time is in no function is tested where the kernel is made up
# (tests/sample/notes_rows_met.c); here, that the library hears of all of it. The program asks the kernel for the same counts in between.
here=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
beside_busy() { # PREFIX ARGUMENT...: clock=exact
	prefix=$1
	shift
	timeout 60 taskset -c "$here" sh -c 'while :; do :; done' &
	busy=$!
	profile clock=exact "taskset -c $here $prefix" "$@" || bad=1
	kill $busy 2>/dev/null
	wait $busy 2>/dev/null
}

if [ "$(./sampled probe)" != 3 ]; then
	bad=0
	beside_busy "" ./sampled long
	accounts || bad=1
	[ $(($(sum waits) + $(sum preemptions))) -ge "$(sum switches out)" ] ||
		{ bad=1; echo "# $(sum waits) waits and $(sum preemptions) preemptions, of $(sum switches out)"; }
	tap $bad "beside others, each time that they got the processor is in the profile"
fi
bad=0
beside_busy "$refuse_ring" ./sampled long
accounts || bad=1
[ "$(sum preempted)" -ge "$(sum queued out)" ] || { bad=1; echo "# $(sum preempted) ns of others, of $(sum queued out)"; }
tap $bad "... by a timer: how long they had it"

bad=0
profile "" "$refuse_ring" ./sampled times || bad=1
equals error 1 "$(sum error)" || bad=1
profile "" "$refuse_all" ./sampled times || bad=1
equals sampler 0 "$(sum sampler)" || bad=1
equals error 38 "$(sum error)" || bad=1
equals samples 0 "$(sum samples)" || bad=1
tap $bad "where timer_create is refused too: none, and why"

bad=0
for prefix in "" "$refuse_ring"; do
	rm -f p
	$prefix env ZPROF_OPTIONS="output=$work/p,sample=0" \
		strace -f -o trace -E LD_PRELOAD="$work/libzprof.so" ./sampled times >out 2>err || bad=1
	grep -E 'perf_event_open|timer_create|SIGURG' trace && bad=1
	"$ZPROF_BUILD/tests/sample_sums" p >sums || bad=1
	equals sampler 0 "$(sum sampler)" || bad=1
done
tap $bad "sample=0: the kernel is asked for nothing"

# ---- the program does not notice

for way in signalfd syscall siginterrupt; do
	bad=0
	timeout 60 ./urgent $way >plain
	profile "" "$refuse_ring" ./urgent $way || bad=1
	diff plain out | sed 's/^/# /' >difference
	[ -s difference ] && { bad=1; cat difference; }
	equals sampler 3 "$(sum sampler)" || bad=1
	# (Beside others no tick of the kernel may find the thread running, so no sample is certain.)
	echo "# $(sum samples) samples"
	# a signal that the program uses itself: from there on two threads count as not sampled
	equals "threads not sampled" 2 "$(sum loss_samplers)" || bad=1
	tap $bad "a program that uses the timer's signal itself, at last by $way"
done

for prefix in "" "$refuse_ring"; do
	with="${prefix:+ (by a timer)}"
	bad=0
	profile "" "$prefix" ./sampled beside || bad=1
	equals "its profiler's ticks" right "$(sum ticks out)" || bad=1
	equals "its event's count" right "$(sum event out)" || bad=1
	accounts || bad=1
	tap $bad "beside a profiler and events of the program's own$with"

	bad=0
	profile "" "$prefix" ./sampled forks || bad=1
	equals profiles 4 "$(ls p p.* | wc -l)" || bad=1
	for file in p p.*; do
		"$ZPROF_BUILD/tests/sample_sums" $file >sums
		# (It computes for 0.42 s or more, and then ends without exit().)
		no_less "$file" "$(sum cpu)" 420000000 1 || bad=1
	done
	tap $bad "fork, vfork, exec: each process is sampled$with"

	bad=0
	profile "" "$prefix" ./sampled threads 300 || bad=1
	[ "$(sum rings out)" -le 2 ] || [ -n "$prefix" ] || { bad=1; echo "# $(sum rings out) rings are held"; }
	equals "threads not sampled" 0 "$(sum loss_samplers)" || bad=1
	# (Each thread computes for a millisecond, and the kernel's first samples come at least twice in that. A timer's need not come at
	# all: beside others a thread tends to begin right after a tick, and has ended before the next.)
	[ "$(sum samples)" -gt 0 ] || [ -n "$prefix" ] || { bad=1; echo "# no samples"; }
	tap $bad "threads one after the other give back what they take$with"

	bad=0
	profile "" "$prefix" ./sampled nobody || bad=1
	equals "threads not sampled" 0 "$(sum loss_samplers)" || bad=1
	no_less "CPU time of samples" "$(sum cpu)" "$(sum worked out)" 1 || bad=1
	tap $bad "a thread that begins after the process has become another user$with"
done

bad=0
./sampled limits | grep -v cpu >plain
profile "" "$as_nobody" ./sampled limits || bad=1
grep -v cpu out | diff plain - | sed 's/^/# /' | grep . && bad=1
tap $bad "mlock() finds its limit untouched, and no descriptor is held"

# Many more than a user may have. (A quarter of the signals that may be pending are taken.)
said() { # THREADS OF: in the head, and at the end
	"$ZPROF_BUILD/zprof" report --force --width 1000 p >report
	grep -q "^note: $1 of the $2 threads were not sampled, or not to their end: time of theirs is missing" report &&
		grep -q "^ *$1  threads that could not be sampled: their calls are counted" report || {
		echo "# not said:"
		sed 's/^/# /' report
		return 1
	}
}

bad=0
profile "" "prlimit --sigpending=400 $as_one $refuse_ring" ./sampled crowd 300 || bad=1
between "threads not sampled" "$(sum loss_samplers)" 200 250 || bad=1
said "$(sum loss_samplers)" 301 || bad=1
tap $bad "more threads at once than a timer may sample: counted and reported"

# A user may have perf_event_mlock_kb per processor for rings of two pages, and as much more as may be locked.
kb=$(($(cat /proc/sys/kernel/perf_event_mlock_kb) / 4 * 4 * $(getconf _NPROCESSORS_ONLN)))
rings=$((kb / 8))
if [ -z "$as_nobody" ] || [ "$($as_one ./sampled probe)" = 3 ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -lt 0 ] || [ $rings -gt 5000 ]; then
	skip "more threads at once than a user may have rings" "no other user, or no limit that can be reached"
else
	for more in 0 10; do
		bad=0
		profile "" "prlimit --memlock=$((more * 8192)) $as_one" ./sampled crowd $((rings + 60)) || bad=1
		equals "threads not sampled" $((61 - more)) "$(sum loss_samplers)" || bad=1
		said $((61 - more)) $((rings + 61)) || bad=1
		tap $bad "$((61 - more)) threads more at once than a user may have rings: counted and reported"
	done

	bad=0
	profile "" "prlimit --memlock=0 $as_one" ./sampled crowd $((rings + 1)) "ZPROF_OPTIONS=output=$work/p.second ./sampled times >/dev/null" || bad=1
	equals sampler 3 "$("$ZPROF_BUILD/tests/sample_sums" p.second | sed -n 's/^sampler //p')" || bad=1
	"$ZPROF_BUILD/zprof" report --force --width 1000 p.second >report
	grep -q "^note: the kernel did not take samples (this user's memory for them, kernel.perf_event_mlock_kb, is used up): a timer took fewer" report ||
		{ bad=1; sed 's/^/# /' report; }
	tap $bad "a program that begins while its user has no memory left for rings says so"
fi
finish
