#!/bin/sh
# SPDX-License-Identifier: MIT
# program-samples-late.sh - a ring that ends by itself, and threads whose samples come late: after a stretch without a hook, a pause,
# a sleep, a mask. None of them stays without samples, and none is sampled more often than is promised (preload/sample/sampling.h).
. "${0%/*}/../programs/check.sh"
. "${0%/*}/samples.sh"
build_sampled sampled -finstrument-functions
# Hooks that are called through registers stay on in a pause.
build_sampled sampled_late -finstrument-functions -mcmodel=large
mv sampled_late hooks_stay_on
build_sampled sampled_late -finstrument-functions

about() { # WHAT VALUE EXPECTED: within a twentieth and 10 ms (in ns)
	awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(d <= b / 20 + 10e6) }' || {
		echo "# $1: $2, not about $3"
		return 1
	}
}

# The quickest rate is five times the usual one, in the first tenth of a second of CPU time.
promised() { # CPU_NS: samples at most
	awk -v ns="$1" -v period="$(sum period)" 'BEGIN { print int(1.1 * (ns + 4 * 100e6) / period) }'
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
	is sampler "$(sum sampler)" "$sampler" || bad=1
	if [ "$sampler" = 3 ]; then
		between samples "$(sum samples)" 38 44 || bad=1
		near "stretch()" "$(charged stretch)" "$(sum stretch out)" || bad=1
	else
		between samples "$(sum samples)" 55 61 || bad=1
		# (the end of after() has no sample any more; and some may have hit the kernel, where not all may be seen)
		between "stretch()" "$(charged stretch)" 600000000 665000000 || bad=1
		between "after()" "$(charged after)" 140000000 205000000 || bad=1
		is waits "$(sum waits)" 1 || bad=1
		[ $(($(sum waited) + $(sum preempted) + 5000000)) -ge "$(sum away out)" ] || { bad=1; echo "# away: $(sum away out), of which $(sum waited) and $(sum preempted) are known"; }
		# how much of it was waiting is known only roughly where others wanted the processor
		[ "$(sum away out)" -gt 110000000 ] || between waited "$(sum waited)" 90000000 110000000 || bad=1
	fi
	tap $bad "a ring that is quick ends by itself in a long stretch, whose time and waits are known: $how"

	for program in sampled_late hooks_stay_on; do
		bad=0
		profile clock=count "$prefix" ./$program resumed || bad=1
		between samples "$(sum samples)" $((100000000 / $(sum period) / 4)) "$(promised 100000000)" || bad=1
		[ "$sampler" = 3 ] || between "resumed_work()" "$(charged resumed_work)" 80000000 105000000 || bad=1
		about "CPU time of samples" "$(sum cpu)" 100000000 || bad=1
		tap $bad "after a pause that has used up the ring ($program): $how"
	done

	bad=0
	profile clock=count "$prefix" ./sampled_late asleep || bad=1
	about "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" || bad=1
	between samples "$(sum samples)" $((700000000 / $(sum period) / 4)) "$(promised "$(sum cpu out)")" || bad=1
	tap $bad "a thread that has slept through the first tenth of a second is sampled at the usual rate: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late blocked || bad=1
	is "threads not sampled" "$(sum loss_samplers)" 0 || bad=1
	about "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" || bad=1
	profile clock=count "$prefix" ./sampled_late deaf || bad=1
	is "threads not sampled" "$(sum loss_samplers)" "$([ "$sampler" = 3 ] && echo 1 || echo 0)" || bad=1
	tap $bad "a thread that blocks signals: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late restricted || bad=1
	if [ "$sampler" = 3 ]; then
		is "threads not sampled" "$(sum loss_samplers)" 1 || bad=1
	else
		about "CPU time of samples" "$(sum cpu)" "$(sum cpu out)" || bad=1
		is "samples that found no room" "$(sum loss_samples)" 0 || bad=1
	fi
	tap $bad "a thread that gives up system calls while its ring is quick: $how"

	bad=0
	profile clock=count "$prefix" ./sampled_late beside || bad=1
	is "threads not sampled" "$(sum loss_samplers)" "$([ "$sampler" = 3 ] && echo 2 || echo 1)" || bad=1
	tap $bad "another thread's ring will end after that, which is counted: $how"
done

# Rings of threads that have ended go to those that begin: there are timers for ten threads.
bad=0
profile clock=count "prlimit --sigpending=40 $as_one $refuse_ring" ./sampled_late successors || bad=1
is "threads not sampled" "$(sum loss_samplers)" 0 || bad=1
tap $bad "threads get the rings of others that have ended, whatever they did"
finish
