/* SPDX-License-Identifier: MIT */
/*
 * native.h - where a program spends its time when its hooks are off, function by function, beside
 * what a profile of it shows.
 *
 * A sample (sampler/sampler.h) belongs to the innermost function on its stack that the profile
 * knows: what libraries, the kernel, and functions that were not recorded do counts for their
 * caller, as in the profile. Time on a processor is compared, because that is what such samples
 * show.
 *
 * A function that was inlined has no frame. Where each function of the source has hooks, the debug
 * information says which functions are at an address; where hooks are of functions as they are after
 * inlining, what was inlined belongs to its host.
 *
 * Zones that the program marks itself have no code of their own: their time counts for the function
 * that they are in, in both.
 */
#ifndef REPORT_NATIVE_H
#define REPORT_NATIVE_H

#include "report/model/load.h"

struct native_function {
	uint32_t zone;
	uint64_t samples;
	double shown_ns;           /* on a processor, as the profile has it */
	double share, shown_share; /* in points of 100; see native_compare() */
};

struct native_key {
	uint32_t module, zone;
	uint64_t start;      /* of a function, ... */
	const char *linkage; /* ... or its name */
};

struct native_place {
	uint64_t address;
	uint32_t module, zone; /* zone 0: of no function that is known */
};

struct native {
	const struct load *load;
	const bool *by_source; /* by module: each function of the source has hooks */
	uint32_t *of_zone;     /* by zone: index into functions; UINT32_MAX: none */
	struct native_function *functions;
	size_t count;
	struct native_key *keys;
	size_t key_count, key_room;
	struct lookup by_key;
	struct native_place *places; /* that were asked for */
	size_t place_count, place_room;
	struct lookup by_place;
};

/* BY_SOURCE is by number of L's modules. Both stay the caller's. */
void native_init(struct native *n, const struct load *l, const bool *by_source);
void native_free(struct native *n);

/* Whether the code at ADDRESS of FILE is a function's that is known: then the sample is that function's. */
bool native_take(struct native *n, const char *file, uint64_t address);

struct native_distance {
	double apart;  /* half the sum of the differences of all shares, in points of 100 */
	double chance; /* what so many samples would differ by if nothing else did */
};

/* Sets the shares, and puts the function with the largest native share first. */
struct native_distance native_compare(struct native *n);

#endif
