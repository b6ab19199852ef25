/* SPDX-License-Identifier: MIT */
/* timebase.h - the clock as the profile knows it: its rate, and whether it can be trusted. */
#ifndef ZPROF_TIMEBASE_H
#define ZPROF_TIMEBASE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/*
 * Reads the tick clock and CLOCK_MONOTONIC, and stores both in the header, from which readers get
 * the rate of the ticks. In mode `count` only CLOCK_MONOTONIC is read.
 */
void timebase_refresh(struct process *p);

/*
 * The process was alive at `time_ns` of CLOCK_MONOTONIC. In mode `count` the header notes this
 * time, because a process that ends by _exit() or is killed takes no last reading.
 */
void timebase_alive(struct process *p, uint64_t time_ns);

/*
 * The time stamp counter is no clock, or may not be read any more: CLOCK_MONOTONIC is used from
 * `last` on. In mode `exact` a loss is counted, because the cost of the hooks has not been measured
 * with this clock. False: CLOCK_MONOTONIC was in use already, or cannot be used.
 */
bool timebase_distrust(struct process *p, uint64_t last);

/*
 * The clock reads `now`, but an earlier reading was `last`, which is later. The fault is counted,
 * CLOCK_MONOTONIC is used from `last` on, and the profile gets a note. Returns a reading of the
 * clock now in use.
 */
uint64_t timebase_is_back(struct process *p, uint64_t last, uint64_t now);

#endif
