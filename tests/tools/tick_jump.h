/* SPDX-License-Identifier: MIT */
/*
 * tick_jump.h - a time stamp counter that jumps, for tests: tick_tsc.h in all but that.
 *
 * Included ahead of each file compiled with it, it replaces tick_tsc.h, whose guard it defines:
 * tick_tsc.c, and all that reads the clock, run unchanged on a counter that cannot be trusted. The
 * test program says how it jumps, with the functions of tick_jump.c.
 */
#ifndef ZPROF_TICK_TSC_H
#define ZPROF_TICK_TSC_H

#include <stdint.h>

extern uint32_t tick_by_system __attribute__((visibility("hidden")));
uint64_t tick_system(void) __attribute__((visibility("hidden")));

/* By processor, even and odd: what is added to its counter. */
extern int64_t tick_jump_offset[2] __attribute__((visibility("hidden")));
/* From this reading on, `later` is added to all. */
extern uint64_t tick_jump_readings, tick_jump_at __attribute__((visibility("hidden")));
extern int64_t tick_jump_later __attribute__((visibility("hidden")));

static inline uint64_t tick_read(void)
{
	uint32_t low, high, processor;
	uint64_t ticks;

	if (__builtin_expect(tick_by_system != 0, 0))
		return tick_system();
	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(processor));
	ticks = ((uint64_t)high << 32 | low) + (uint64_t)tick_jump_offset[processor & 1];
	if (__atomic_add_fetch(&tick_jump_readings, 1, __ATOMIC_RELAXED) >= tick_jump_at)
		ticks += (uint64_t)tick_jump_later;
	return ticks;
}

#endif
