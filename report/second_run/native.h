/* SPDX-License-Identifier: MIT */
/*
 * native.h - where a program spends its time when its hooks are off, function by function, beside
 * what a profile of it shows.
 *
 * A sample (second_run/sampler.h) belongs to the innermost function on its stack that the profile
 * knows: what libraries, the kernel, and functions that were not recorded do counts for their
 * caller, as in the profile. Time on a processor is compared, because that is what such samples
 * show.
 *
 * Zones that the program marks itself have no code of their own: their time counts for the function
 * that they are in, in both.
 */
#ifndef REPORT_NATIVE_H
#define REPORT_NATIVE_H

#include "report/second_run/native_code.h"

struct native_function {
	uint32_t zone;
	uint64_t samples;
	double shown_ns;           /* time on a processor, as the profile has it */
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

/*
 * Whether the code at ADDRESS of FILE is a function's that is known: then the sample is that
 * function's.
 */
bool native_take(struct native *n, const char *file, uint64_t address);

struct native_distance {
	double apart;  /* half the sum of the differences of all shares, in points of 100 */
	double chance; /* what `apart` would be if only chance made the samples differ */
};

/* Sets the shares, and puts the function with the largest native share first. */
struct native_distance native_compare(struct native *n);

#endif
