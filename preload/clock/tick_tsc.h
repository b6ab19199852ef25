/* SPDX-License-Identifier: MIT */
/*
 * tick_tsc.h - the hot path's clock: the time stamp counter, or CLOCK_MONOTONIC where the counter
 * cannot be trusted.
 *
 * The counter is read by a plain rdtsc. rdtscp or a fence would order the reading against the code
 * measured, at several times the cost of the reading itself. A plain rdtsc can slip by a few
 * instructions, which is within the error of any one call and cancels out over many.
 */
#ifndef ZPROF_TICK_TSC_H
#define ZPROF_TICK_TSC_H

#include "preload/base/cpu.h"

#include <stdint.h>

extern uint32_t tick_by_system
    __attribute__((visibility("hidden"))); /* nonzero: the TSC is not in use */
uint64_t tick_system(void) __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) uint64_t tick_read(void)
{
	/*
	 * The test comes first: in a program that has forbidden itself the counter (strict seccomp,
	 * PR_SET_TSC), reading it raises SIGSEGV.
	 */
	if (__builtin_expect(tick_by_system != 0, 0))
		return tick_system();
	return cpu_counter();
}

#endif
