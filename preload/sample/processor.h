/* SPDX-License-Identifier: MIT */
/*
 * processor.h - the processor's counters that events= can sample (happened.h): what the kernel calls
 * each, and after how many of its events a sample is due.
 *
 * The periods are primes, so that no loop of the program keeps step with them. Of four thousand
 * million instructions, 4,000 have a note, each of which takes some microseconds of an interrupt.
 *
 * tests/tools/processor_made_up.c stands in place of processor.c in a library for tests, which gives
 * the names to events that each machine has.
 */
#ifndef ZPROF_PROCESSOR_H
#define ZPROF_PROCESSOR_H

#include "preload/format.h"

#include <stdbool.h>

#define PROCESSOR_EVENTS (ZPROF_EVENTS_USED - ZPROF_EVENT_INSTRUCTIONS)

struct processor_event {
	uint32_t type; /* as perf_event_open(2) has it, and `config` */
	uint64_t config, period;
};

/* From ZPROF_EVENT_INSTRUCTIONS on. */
extern const struct processor_event processor_events[PROCESSOR_EVENTS]
    __attribute__((visibility("hidden")));

static inline bool processor_has(uint32_t event)
{
	return event >= ZPROF_EVENT_INSTRUCTIONS;
}

/*
 * Lets each of the events happen, so that a sample of each comes after PROCESSOR_TURNS calls at the
 * latest: about a millisecond in all. `seed` is another number in each call.
 */
#define PROCESSOR_TURNS 64u
void processor_provoke(uint64_t seed);

#endif
