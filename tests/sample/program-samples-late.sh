#!/bin/sh
# SPDX-License-Identifier: MIT
# program-samples-late.sh - a ring that ends by itself, and threads whose samples come late: after a stretch without a hook, a pause,
# a sleep, a mask. None of them stays without samples, and none is sampled more often than is promised (preload/sample/sampling.h).
. "${0%/*}/../lib/check.sh"
. "${0%/*}/../lib/samples.sh"
build_sampled sampled -finstrument-functions
# Hooks that are called through registers stay on in a pause.
build_sampled sampled_late -finstrument-functions -mcmodel=large
mv sampled_late hooks_stay_on
build_sampled sampled_late -finstrument-functions

# Samples are at most one per period, and the quickest rate is five times the usual one, in the first tenth of a second of CPU time; a
# quick ring that nothing replaces ends by itself after twice that. The clock of samples also goes on while a machine around this one has
# the processor, and brings one more sample each time: the kernel counts no more CPU time than `spent` and that, so a tenth is left for it.
promised() { # CPU_NS: samples at most
	awk -v ns="$1" -v period="$(sum period)" 'BEGIN { print int(1.1 * (ns + 4 * 100e6) / period) + 1 }'
}

sampler=0
for way in "as we are:" "as another user:$as_nobody" "by a timer:$refuse_ring"; do
	how=${way%%:*} prefix=${way#*:}
	last=$sampler
	sampler=$($prefix ./sampled probe)
	[ "$sampler" != "$last" ] || continue # the same once more

	# Of 20 ms, and 4 ms at first: of those a ring has room for all, and ends by itself at the fiftieth. A timer's have 20 ms.
	bad=0
	profile clock=count,sample=50 "$prefix" ./sampled_late ended || bad=1
	equals sampler "$sampler" "$(sum sampler)" || bad=1
	if [ "$sampler" = 3 ]; then
		accounts || bad=1
	else
		# (the fiftieth of those at first is the last)
		[ "$(sum samples)" -le $((50 + $(sum after out) / $(sum period) + 2)) ] || { bad=1; echo "# $(sum samples) samples"; }
		same_time stretch after || bad=1
		accounts || bad=1
		# What the ring did not note, the kernel's counts tell: no absence is missing. (Between the readings of two clocks, of which a
		# time away is the difference, CPU time passes; it takes far less than 1 ms.)
		[ $(($(sum waits) + $(sum preemptions))) -ge "$(sum switches out)" ] || { bad=1; echo "# $(sum waits) waits and $(sum preemptions) preemptions, of $(sum switches out)"; }
		[ $(($(sum waited) + $(sum preempted) + 1000000)) -ge "$(sum away out)" ] || { bad=1; echo "# away: $(sum away out), of which $(sum waited) and $(sum preempted) are known"; }
	fi
	tap $bad "a ring that is quick ends by itself in a long stretch, whose time and waits are known: $how"

	for program in sampled_late hooks_stay_on; do
		bad=0
		profile clock=count "$prefix" ./$program resumed || bad=1
		[ "$(sum samples)" -le "$(promised $(($(sum spent spent.txt) - $(sum paused out))))" ] || { bad=1; echo "# $(sum samples) samples"; }
		[ "$sampler" = 3 ] || same_time resumed_work || bad=1
		no_less "CPU time of samples" "$(sum cpu)" "$(sum resumed_work out)" || bad=1
		# (By a timer, no sample need come during the pause. The first one after it may then stand for some of the pause: for 32 ticks at
		# most, or the time counts as not seen.)
		if [ "$sampler" = 3 ]; then
			no_more "CPU time of functions" $(($(sum cpu) - $(sum unseen))) $(($(sum spent spent.txt) - $(sum paused out))) 34 || bad=1
		else
			no_more "CPU time of samples" "$(sum cpu)" $(($(sum spent spent.txt) - $(sum paused out))) || bad=1
		fi
		tap $bad "after a pause that has used up the ring ($program): $how"
	done

	bad=0
	profile clock=count "$prefix" ./sampled_late asleep || bad=1
	no_less "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" 1 || bad=1
	[ "$(sum samples)" -le "$(promised "$(sum spent spent.txt)")" ] || { bad=1; echo "# $(sum samples) samples"; }
	tap $bad "a thread that has slept through the first tenth of a second is sampled at the usual rate: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late blocked || bad=1
	equals "threads not sampled" 0 "$(sum loss_samplers)" || bad=1
	no_less "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" 1 || bad=1
	profile clock=count "$prefix" ./sampled_late deaf || bad=1
	equals "threads not sampled" "$([ "$sampler" = 3 ] && echo 1 || echo 0)" "$(sum loss_samplers)" || bad=1
	tap $bad "a thread that blocks signals: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late restricted || bad=1
	if [ "$sampler" = 3 ]; then
		equals "threads not sampled" 1 "$(sum loss_samplers)" || bad=1
	else
		# (Without a last look, as if it had ended before the process. The thread's clock cannot be asked any more, so the clock of samples
		# alone tells how much CPU time there was.)
		[ "$(sum task out)" -gt 0 ] || { bad=1; echo "# the kernel's clock of samples cannot be read"; }
		no_less "CPU time of samples" "$(sum cpu)" "$(sum task out)" 1 || bad=1
		equals "samples that found no room" 0 "$(sum loss_samples)" || bad=1
	fi
	tap $bad "a thread that gives up system calls while its ring is quick: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late beside || bad=1
	equals "threads not sampled" "$([ "$sampler" = 3 ] && echo 2 || echo 1)" "$(sum loss_samplers)" || bad=1
	tap $bad "another thread's ring will end after that, which is counted: $how"
done

# Rings of threads that have ended go to those that begin: there are timers for ten threads.
bad=0
profile clock=count "prlimit --sigpending=40 $as_one $refuse_ring" ./sampled_late successors || bad=1
equals "threads not sampled" 0 "$(sum loss_samplers)" || bad=1
tap $bad "threads get the rings of others that have ended, whatever they did"
finish
