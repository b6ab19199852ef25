/* SPDX-License-Identifier: MIT */
/* timebase.h - the clock as the profile knows it: its rate, and whether it can be trusted. */
#ifndef ZPROF_TIMEBASE_H
#define ZPROF_TIMEBASE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* Takes a new reading of both clocks into the header, which gives the rate of the ticks; where only
 * calls are counted, of CLOCK_MONOTONIC alone. */
void timebase_refresh(struct process *p);

/*
 * The process was alive at `time_ns` of CLOCK_MONOTONIC. Where only calls are counted, the header
 * says so: a process that ends by _exit() or is killed takes no last reading.
 */
void timebase_alive(struct process *p, uint64_t time_ns);

/*
 * The time stamp counter is no clock, or may not be read any more: CLOCK_MONOTONIC is used from
 * `last` on. The cost of the hooks with this clock has not been measured, which is counted. False:
 * CLOCK_MONOTONIC was in use already, or cannot be used.
 */
bool timebase_distrust(struct process *p, uint64_t last);

/*
 * The clock was read `now`, and should be at `last` or later: the fault is counted, CLOCK_MONOTONIC
 * is used from `last` on, and a note says so. Returns the clock's reading after that.
 */
uint64_t timebase_is_back(struct process *p, uint64_t last, uint64_t now);

#endif
