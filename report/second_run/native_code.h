/* SPDX-License-Identifier: MIT */
/*
 * native_code.h - finds the functions to which the address of a sample belongs.
 *
 * A function that was inlined has no stack frame. If each function of the source has hooks, the
 * debug information says which functions an address belongs to, so there may be several. If
 * functions got their hooks after inlining, inlined code belongs to the function around it. Code of
 * libraries, and of functions that were not recorded, belongs to no zone; the time there counts for
 * the caller.
 *
 * Functions that were recorded without hooks may have no name in their file, so no symbol says where
 * they end. The plan that the first run displaced them by says so (symbolize/plan/plans.h).
 */
#ifndef REPORT_NATIVE_CODE_H
#define REPORT_NATIVE_CODE_H

#include "report/core/load/load.h"
#include "symbolize/plan/plans.h"

struct native_key {
	uint32_t module, zone;
	uint64_t start;      /* of a function, ... */
	const char *linkage; /* ... or its name */
};

struct native_place {
	uint64_t address;
	uint32_t module;
	size_t first, count; /* in zones */
};

struct native_code {
	const struct load *load;
	const bool *by_source;    /* by module: each function of the source has hooks */
	struct plans_held *plans; /* by module; one without bytes is none. NULL: none is used */
	struct native_key *keys;
	size_t key_count, key_room;
	struct lookup by_key;
	struct native_place *places; /* the addresses that were asked for */
	size_t place_count, place_room;
	struct lookup by_place;
	uint32_t *zones;
	size_t zone_count, zone_room;
};

/* BY_SOURCE has a value for each module of L. L and BY_SOURCE stay the caller's. */
void native_code_init(struct native_code *c, const struct load *l, const bool *by_source);

/* Looks functions up by the plans of their files, too. */
void native_code_use_plans(struct native_code *c);

void native_code_free(struct native_code *c);

/* Whether Z is a function that has code of its own. */
bool native_has_code(const struct zone *z);

/* The zones at ADDRESS of FILE, innermost first; *COUNT is their number, which may be 0. The list
 * is valid until the next call. */
const uint32_t *native_code_at(struct native_code *c, const char *file, uint64_t address,
			       size_t *count);

#endif
