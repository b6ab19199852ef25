/* SPDX-License-Identifier: MIT */
/*
 * twin.h - the private half of a node: what the hot path needs to find the next node, and no reader
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
	uintptr_t ret;      /* location of the last entry; 0: no location matches; TWIN_UNTOUCHED */
	uintptr_t exit_ret; /* location of the last exit, if `rule` holds there too */
	uint32_t rule;      /* location.h */
	uint32_t host;
	uint32_t samples; /* in the profile: offset / 64; 0: none have been taken (notes.h) */
	uint32_t tally;   /* in the profile: offset / 64; 0: there is none (frames.h); TWIN_* */
};

/* In `ret`: the node has not been entered since a frame ended; so the next entry is not usual. */
#define TWIN_UNTOUCHED ((uintptr_t)1 << 63)

/* In `tally`, of the node. */
#define TWIN_TOUCHED   0x80000000u /* it is in the list of nodes that ran since a frame ended */
#define TWIN_WATCHED   0x40000000u /* its calls are timed one by one (calls/watch.h) */
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
 * Stores the location that the node is entered from, and the rule and host that hold there; RET 0:
 * never matches. A handler may jump out of a hook that is doing this: then no location matches the
 * half-stored twin.
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
