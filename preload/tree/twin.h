/* SPDX-License-Identifier: MIT */
/*
 * twin.h - the private half of a node: the hot path needs it to find the next node, and no reader
 * of the profile does. The twin lies at a constant distance from its node (planes.h, and the
 * drawing in tree.h), so neither half holds a pointer to the other.
 */
#ifndef ZPROF_TWIN_H
#define ZPROF_TWIN_H

#include "preload/base/cpu.h"
#include "preload/format.h"
#include "preload/code/location.h"
#include "preload/profile/planes.h"

#include <stdint.h>

struct twin {
	uintptr_t ret;      /* location of the last entry; 0: none will match; TWIN_UNTOUCHED */
	uintptr_t exit_ret; /* location of the last exit, if `rule` holds there too */
	uint32_t rule;      /* location.h */
	uint32_t host;
	uint32_t samples; /* record in the profile: offset / 64; 0: no sample yet (notes.h) */
	uint32_t tally;   /* record in the profile: offset / 64; 0: none (frames.h); TWIN_* */
};

/*
 * Flag in `ret`: the node has not been entered since a frame ended. So its next entry does not go
 * the usual way.
 */
#define TWIN_UNTOUCHED ((uintptr_t)1 << 63)

/*
 * Flag in `exit_ret`: the rest is the offset of a struct zprof_unsure in the profile (charged.h). No
 * place is equal to that, so exits, which only other code of such a program has, go the slow way.
 */
#define TWIN_UNSURE ((uintptr_t)1 << 63)

/* Flags in `tally`, about the node. */
/* the node is in the list of those that ran since a frame ended */
#define TWIN_TOUCHED   0x80000000u
#define TWIN_WATCHED   0x40000000u /* the node's calls are timed one by one (calls/watch.h) */
#define TWIN_REFERENCE 0x3fffffffu

_Static_assert(sizeof(struct twin) == ZPROF_NODE_BYTES, "twins lie as far apart as nodes");

static inline struct twin *twin_of(struct zprof_node *node)
{
	return (struct twin *)((char *)node + PLANES_TWIN);
}

/* The location that a node was entered from last. */
static inline uintptr_t twin_ret(const struct twin *twin)
{
	return twin->ret & ~TWIN_UNTOUCHED;
}

/*
 * Stores the location that the node is entered from, and the rule and host of that location. A
 * `ret` of 0 never matches a location. A signal handler may jump out while a hook does this: no
 * location then matches the half-stored twin.
 */
static inline void twin_place(struct twin *twin, uintptr_t ret, uint32_t rule, uint32_t host)
{
	twin->ret = 0;
	cpu_barrier();
	if (!location_alike(twin->rule, rule))
		twin->exit_ret = 0;
	cpu_barrier();
	twin->rule = rule;
	twin->host = host;
	cpu_barrier();
	twin->ret = ret;
}

#endif
