/* SPDX-License-Identifier: MIT */
/*
 * native_times.h - gives the contexts of a profile the times of a second run, in which all hooks
 * were off (`zprof record --native`).
 *
 * Hooks tell calls and contexts exactly, but a program with hooks is not quite the one without: a
 * compiler keeps other values in registers, and a processor overlaps work with a hook's. So both
 * runs do what they are best at: the first counts, and the second, which runs at the program's own
 * speed, is sampled from outside, stack by stack. Each sample goes to the context that its stack
 * leads to (native_paths.h). What the program waited for remains what the first run saw.
 *
 * A sample costs the program some CPU time, which is taken off (second_run/price.h). Samples that
 * found the library, which is loaded in the second run, too, are left out. Those of which no
 * function is known are the program's start, or code outside every zone: for as much time as the
 * first run spent there.
 */
#ifndef REPORT_NATIVE_TIMES_H
#define REPORT_NATIVE_TIMES_H

#include "report/second_run/native_code.h"
#include "report/second_run/native_paths.h"

struct native_times {
	struct profile *profile;
	struct native_code code;
	struct native_paths paths;
	struct native_context *contexts; /* the first is outside every zone */
	size_t context_count, context_room;
	struct lookup by_caller;
	uint32_t *context_of; /* by node */
	double *weights;      /* by node: what the first run says, in ns on a processor */
	bool in_library;      /* the sample being looked at is in the library */
	uint64_t samples;     /* that found a function */
	uint64_t outside;     /* samples that found none */
	uint64_t own;         /* samples that found the library */
};

/*
 * L holds P alone. BY_SOURCE: see native_code_init(). All three stay the caller's.
 */
void native_times_init(struct native_times *n, struct load *l, struct profile *p,
		       const bool *by_source);
void native_times_free(struct native_times *n);

/* The next frame of a sample, innermost first. True: the other frames are not needed. */
bool native_times_frame(struct native_times *n, const char *file, uint64_t address);

/* There are no more frames of it. WHOLE: the last was the outermost. */
void native_times_sampled(struct native_times *n, bool whole);

/*
 * Adds what was found to the file of the profile; one sample was taken every PERIOD_NS, each cost
 * PRICE_NS, and LOST more were not told. False with a message; the file is then as it was.
 */
bool native_times_write(struct native_times *n, uint64_t period_ns, double price_ns, uint64_t lost,
			struct str *err);

#endif
