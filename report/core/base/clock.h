/* SPDX-License-Identifier: MIT */
/* clock.h - the time by a clock of the system, in nanoseconds. */
#ifndef REPORT_CLOCK_H
#define REPORT_CLOCK_H

#include <stdint.h>
#include <time.h>

/* 0 if the clock cannot be read, because it is of a process that has gone. */
static inline int64_t clock_ns(clockid_t clock)
{
	struct timespec t;
	return clock_gettime(clock, &t) ? 0 : (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

#endif
