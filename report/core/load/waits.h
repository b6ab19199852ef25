/* SPDX-License-Identifier: MIT */
/*
 * waits.h - waits (offcpu=1) as zones of their own, below the zone that waited.
 *
 *     fetch  self 95 ms, of which waited 90 ms      fetch  self 5 ms
 *                                             -->    +- [wait] read         60 ms,  5 calls
 *                                                    '- [wait] lock queue   30 ms,  2 calls
 *
 * A wait moves from its node's own cost to a child, so all sums stay as they were. A zone `[wait]
 * ...` is a function like any other for views, filters, groups (it is in the group `waits`) and
 * exports.
 *
 * A function that waits very often between two hooks fills the kernel's memory for notes. Even then
 * zprof knows how often and how long it waited, but for some waits not what for. If many waits were
 * noted, the others are divided in the same proportions, and the error bars include that. Otherwise
 * they are in `[wait] (not told apart)`.
 */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct load;
struct profile;
struct zones_of_profile;

/* An object or function whose name a wait has. Profiles keep these names (keep.h). */
struct wait_fact {
	uint32_t module; /* index into modules of struct zones */
	uint64_t start, size;
	const char *name; /* valid as long as the zones */
};

struct wait_facts {
	struct wait_fact *list;
	size_t count, room;
};

/* Gives the waits of P to zones of their own. P's node I is the tree's node MAP[I]. The tree's
 * nodes from FIRST on are P's, and have their costs. */
void waits_add(struct load *l, const struct profile *p, struct zones_of_profile *zones,
	       const uint32_t *map, size_t first);

/* The name of a system call; NULL: a call that does not wait. */
const char *wait_calls_name(int32_t number);

/* Whether a system call ends without another thread of the process: a sleep, a file on a disk. */
bool wait_calls_alone(int32_t number);

#endif
