/* SPDX-License-Identifier: MIT */
/*
 * tick.h - the clock, as everything but the hot path sees it.
 *
 * There are two implementations, and a build picks one: tick_tsc (which users get) and tick_fake
 * (tests: each reading of a thread is one tick, so that a whole call graph is known beforehand).
 * Each is a pair: tick_X.c defines what is declared here, and tick_X.h defines the inline
 * tick_read() that the hot path uses; preload/build.mk includes the latter ahead of hooks.c.
 */
#ifndef ZPROF_TICK_H
#define ZPROF_TICK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Decides which clock is read; once, before any other function here. Returns an enum zprof_clock
 * (preload/format.h).
 */
uint32_t tick_init(void);

/* The clock's reading now, in ticks. */
uint64_t tick_now(void);

/*
 * Ticks a second, measured against CLOCK_MONOTONIC since tick_init(): the longer ago, the better (1
 * ms gives 1 in 10,000). 0: the clock has jumped meanwhile.
 */
uint64_t tick_hz(void);

/*
 * The clock has gone backwards: from `last` on, ticks (of the same rate, hz) come from
 * CLOCK_MONOTONIC. False: ticks came from there already (another thread may have been just
 * ahead), or cannot.
 */
#define TICK_NANOSECONDS_HZ 1000000000u
bool tick_distrust(uint64_t hz, uint64_t last);

/* From now on no clock may be read: it stands still. */
void tick_stop(void);

/* The tick clock and CLOCK_MONOTONIC at one moment. */
void tick_pair(uint64_t *ticks, uint64_t *ns);

#endif
