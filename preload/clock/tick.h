/* SPDX-License-Identifier: MIT */
/*
 * tick.h - the clock, as everything but the hot path sees it.
 *
 * There are two implementations, and a build picks one: tick_tsc (which users get) and tick_fake
 * (tests: each reading of a thread is one tick, so that a whole call graph is known beforehand).
 * Each is a pair of files. tick_X.c defines the functions declared here. tick_X.h defines the
 * inline tick_read() that the hot path uses; preload/build.mk includes tick_X.h ahead of hooks.c.
 */
#ifndef ZPROF_TICK_H
#define ZPROF_TICK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Decides which clock is read. To be called once, before any other function here. Returns an enum
 * zprof_clock (preload/format.h).
 */
uint32_t tick_init(void);

/* The clock's reading now, in ticks. */
uint64_t tick_now(void);

/*
 * Ticks per second, measured against CLOCK_MONOTONIC over the time since tick_init(). The longer
 * that time, the smaller the error: after 1 ms it is 1 in 10,000. 0: the clock has jumped since
 * tick_init().
 */
uint64_t tick_hz(void);

/*
 * To be called when the clock has gone backwards. From the reading `last` on, ticks are made from
 * CLOCK_MONOTONIC, at the rate hz as before. False: ticks are made from CLOCK_MONOTONIC already
 * (another thread may have called this function just before), or cannot be.
 */
#define TICK_NANOSECONDS_HZ 1000000000u
bool tick_distrust(uint64_t hz, uint64_t last);

/*
 * From now on no clock is read (calls are not timed, or the program may make no system call): each
 * reading returns the same number.
 */
void tick_stop(void);

/* Reads the tick clock and CLOCK_MONOTONIC at one moment. */
void tick_pair(uint64_t *ticks, uint64_t *ns);

#endif
