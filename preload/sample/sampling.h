/* SPDX-License-Identifier: MIT */
/*
 * sampling.h - what takes the samples of a process, what a sample costs, and how many are taken.
 *
 * A sample costs the thread some microseconds of an interrupt, which are measured at the start.
 * Samples take a fiftieth of the time at most. In the first tenth of a second of a process, up to
 * five times as many are taken, so that a short program has some.
 *
 * The kernel takes the samples. If this process may not look into the kernel, the kernel takes
 * samples only while the program is outside of the kernel. If the kernel may not take samples at
 * all, a timer does (timer.h).
 */
#ifndef ZPROF_SAMPLING_H
#define ZPROF_SAMPLING_H

#include "preload/format.h"
#include "preload/sample/kept.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

struct sampling {
	/* Written as recording begins. */
	uint32_t by;                    /* enum zprof_sampler */
	bool exact;                     /* a clock is read, too */
	uint64_t price_ticks, price_ns; /* of one sample, to the thread */
	uint64_t period_ns;             /* after the first tenth of a second */
	uintptr_t code, code_bytes;     /* the library's own instructions */
	uint32_t events;                /* that are counted (happened.h): 1 << enum zprof_event */
	uint32_t event_columns[ZPROF_EVENTS_USED];
	struct kept kept; /* events of threads */

	/* Written by any thread, at any time. */
	uint64_t
	    /* in the first tenth of a second; no ring is quick if equal to period_ns */
	    first_period_ns;
	uint64_t sampled_ns; /* sampled CPU time of all threads; roughly, since there is no lock */
	uint32_t roomy;      /* number of threads whose rings have extra room; atomic */
	bool stopped;        /* no thread can be sampled any more */
};

/*
 * sampling_choose() finds out what can take the samples of this process, and what a sample costs,
 * in ticks. sampling_begin() decides how many samples are taken. It must be called when the length
 * of a tick is known.
 */
void sampling_choose(struct process *p);
void sampling_begin(struct process *p);

/* In a forked child: takes over the parent's choices. */
void sampling_inherit(struct process *p, const struct process *from);

/* CPU time from one sample to the next, in a ring that is opened now. */
uint64_t sampling_period(const struct sampling *g);

/*
 * How many samples a ring of this period takes at most; 0: without end. Only a hook can replace a
 * quick ring, and in a long stretch there is no hook. So a quick ring ends by itself, after twice
 * as many samples as the first tenth of a second has.
 */
uint32_t sampling_most(const struct sampling *g, uint64_t period_ns);

/* Whether an address is one of the library's own instructions, those in trampolines among them. */
bool sampling_is_ours(const struct sampling *g, uintptr_t address);

#endif
