/* SPDX-License-Identifier: MIT */
/*
 * known.h - what programs share whose true split of time is known: work in steps of equal length,
 * and the clock that measures one.
 *
 * Nothing here looks at the clock while the program is being judged: other processes that take the
 * processor or slow it down change no share.
 */
#ifndef BENCH_TRUTH_KNOWN_H
#define BENCH_TRUTH_KNOWN_H

#include <stdint.h>
#include <time.h>

#include "tests/bench/work.h"

enum { STEPS = 100000, STEP_ROUNDS = 2000 };

/* This thread's CPU time: what others take of the processor is not in it. */
UNSEEN static inline double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Each step waits for the one before it. */
UNSEEN static inline void chain(uint64_t steps)
{
	unsigned long x = steps;

	for (; steps; steps--) {
		x = x * 6364136223846793005u + 1;
		UNKNOWN(x);
	}
}

/* What a step takes; the least of many rounds. */
UNSEEN static inline double step_ns(void)
{
	double least = 1e18;
	int round;

	for (round = 0; round < STEP_ROUNDS; round++) {
		double start = now_ns();
		double each;

		chain(STEPS);
		each = (now_ns() - start) / STEPS;
		least = each < least ? each : least;
	}
	return least;
}

#endif
