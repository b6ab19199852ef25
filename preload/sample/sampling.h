/* SPDX-License-Identifier: MIT */
/*
 * sampling.h - what takes the samples of a process, what one costs, and how many are taken.
 *
 * A sample costs the thread some microseconds of an interrupt, which are measured at the start. No
 * more samples are taken than cost a fiftieth of the time, but five times as many in the first
 * tenth of a second of a process, so that a short program has some.
 *
 * The kernel takes them, and looks at the program outside of the kernel alone if it may do no more.
 * If the kernel may not take samples at all, a timer does (timer.h).
 */
#ifndef ZPROF_SAMPLING_H
#define ZPROF_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

struct process;

struct sampling {
	/* Written as recording begins. */
	uint32_t by;                    /* enum zprof_sampler */
	bool exact;                     /* a clock is read, too */
	uint64_t price_ticks, price_ns; /* of one sample, to the thread */
	uint64_t period_ns;             /* once the first tenth of a second is over */
	uintptr_t code, code_bytes;     /* the library's own instructions */

	/* Written by any thread, at any time. */
	uint64_t
	    first_period_ns; /* in the first tenth of a second; as period_ns: no ring is quick */
	uint64_t sampled_ns; /* CPU time of all threads so far; roughly, since there is no lock */
	uint32_t roomy;      /* threads with more room for notes than others; atomic */
	bool stopped;        /* no thread can be sampled any more */
};

/*
 * Finds out what can take the samples of this process, and what one costs, in ticks; and decides
 * how many are taken, as soon as the length of a tick is known.
 */
void sampling_choose(struct process *p);
void sampling_begin(struct process *p);

/* In a forked child: all is as in its parent. */
void sampling_inherit(struct process *p, const struct process *from);

/* CPU time from one sample to the next, in a ring that is opened now. */
uint64_t sampling_period(const struct sampling *g);

/*
 * How many samples of that period are taken at most; 0: without end. Nothing slows a ring down in a
 * long stretch without a hook. So a quick one ends by itself, at twice the samples of the time that
 * is sampled quickly.
 */
uint32_t sampling_most(const struct sampling *g, uint64_t period_ns);

/* Whether an instruction is the library's. */
bool sampling_is_ours(const struct sampling *g, uintptr_t address);

#endif
