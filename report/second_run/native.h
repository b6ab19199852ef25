/* SPDX-License-Identifier: MIT */
/*
 * native.h - where a program spends its time when its hooks are off, function by function, beside
 * what a profile of it shows.
 *
 * A sample (second_run/sampler.h) belongs to the innermost function on its stack that the profile
 * knows. So the time of libraries, of the kernel, and of functions that were not recorded counts
 * for their caller, as in the profile. Only time on a processor is compared, because samples show
 * no waits.
 *
 * Zones that the program marks itself have no code of their own. Their time counts for the function
 * around them, in the samples and in the profile.
 */
#ifndef REPORT_NATIVE_H
#define REPORT_NATIVE_H

#include "report/second_run/native_code.h"

struct native_function {
	uint32_t zone;
	uint64_t samples;
	double shown_ns;           /* time on a processor, in the profile */
	double share, shown_share; /* in points of 100; see native_compare() */
};

struct native {
	const struct load *load;
	struct native_code code;
	uint32_t *of_zone; /* by zone: index into functions; UINT32_MAX: none */
	struct native_function *functions;
	size_t count;
};

/* BY_SOURCE: see native_code_init(). */
void native_init(struct native *n, const struct load *l, const bool *by_source);
void native_free(struct native *n);

/* Whether a known function has code at ADDRESS of FILE. If so, the sample counts for that
 * function. */
bool native_take(struct native *n, const char *file, uint64_t address);

struct native_distance {
	double apart;  /* half the sum of the differences of all shares, in points of 100 */
	double chance; /* the value of `apart` if only chance made the samples differ */
};

/* Sets the shares, and sorts by native share, the largest first. */
struct native_distance native_compare(struct native *n);

#endif
