/* SPDX-License-Identifier: MIT */
/*
 * truth.h - what programs whose true split of time is known have in common: the clock, and how much
 * of the time others had the processor, which no truth can know: it is printed, as a part of 1.
 */
#ifndef BENCH_TRUTH_H
#define BENCH_TRUTH_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "tests/bench/work.h"

UNSEEN static inline uint64_t now(void)
{
	return __builtin_ia32_rdtsc();
}

UNSEEN static inline double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

UNSEEN static inline double ns_per_tick(void)
{
	double begin = seconds(CLOCK_MONOTONIC), end;
	uint64_t start = now(), ticks;

	do {
		end = seconds(CLOCK_MONOTONIC);
		ticks = now() - start;
	} while (end - begin < 0.05);
	return (end - begin) * 1e9 / (double)ticks;
}

struct others {
	double wall, ran;
};

UNSEEN static inline void others_begin(struct others *o)
{
	o->wall = seconds(CLOCK_MONOTONIC);
	o->ran = seconds(CLOCK_PROCESS_CPUTIME_ID);
}

UNSEEN static inline void others_print(const struct others *o)
{
	printf("%.4f\n", 1 - (seconds(CLOCK_PROCESS_CPUTIME_ID) - o->ran) /
				 (seconds(CLOCK_MONOTONIC) - o->wall));
}

#endif
