/* SPDX-License-Identifier: MIT */
/*
 * native_times.h - gives the contexts of a profile the times of a second run, in which all hooks
 * were off (`zprof record --native`).
 *
 * Hooks count calls and contexts exactly. But a program with hooks is not quite the program
 * without: the compiler keeps other values in registers, and the processor overlaps work with the
 * hooks' work. So each run does what it is best at. The first counts. The second runs at the
 * program's own speed, and is sampled from outside with its stack. Each sample goes to the context
 * that its stack leads to (native_paths.h). Waits remain as the first run saw them.
 *
 * A sample costs the program some CPU time, which is subtracted (second_run/record_native.c). The library
 * is loaded in the second run, too; samples in it are left out. Samples without a known function
 * come from the program's start, or from code outside every zone. They count for that, but for no
 * more time than the first run spent there.
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
	double *weights;      /* by node: its time on a processor in the first run, in ns */
	bool in_library;      /* the current sample is in the library */
	uint64_t samples;     /* that found a function */
	uint64_t outside;     /* samples that found none */
	uint64_t own;         /* samples that found the library */
};

/* Prepares for samples. L holds P alone. BY_SOURCE: see native_code_init(). All three stay the
 * caller's. */
void native_times_init(struct native_times *n, struct load *l, struct profile *p,
		       const bool *by_source);
void native_times_free(struct native_times *n);

/* For struct sampler. TIMES is a struct native_times. Takes the next frame of a sample, innermost
 * first. True: the other frames are not needed. */
bool native_times_frame(void *times, const char *file, uint64_t address);

/* Ends a sample. WHOLE: its last frame was the outermost. */
void native_times_sampled(void *times, bool whole);

/* Adds the times to the file of the profile. A sample was taken every PERIOD_NS and cost PRICE_NS;
 * the kernel lost LOST further samples. False with a message; the file is then as it was. */
bool native_times_write(struct native_times *n, uint64_t period_ns, double price_ns, uint64_t lost,
			struct str *err);

#endif
