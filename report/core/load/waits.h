/* SPDX-License-Identifier: MIT */
/*
 * waits.h - what was waited for (offcpu=1), as zones of their own below the one that waited.
 *
 *     fetch  self 95 ms, of which waited 90 ms      fetch  self 5 ms
 *                                             -->    +- [wait] read         60 ms,  5 calls
 *                                                    '- [wait] lock queue   30 ms,  2 calls
 *
 * A wait moves from its node's own cost to the child's, so all sums stay as they were, and a zone
 * `[wait] ...` is a function like any other to views, filters, groups (it is in the group `waits`)
 * and exports.
 *
 * A function that waits very often between two hooks fills the kernel's memory for notes. Even then
 * it is known how often and how long it waited, and what for, as far as the waits were noted. If
 * many were, the others are divided in the same proportions, which the error takes into account;
 * otherwise they are in `[wait] (not told apart)`.
 */
#ifndef REPORT_WAITS_H
#define REPORT_WAITS_H

#include <stddef.h>
#include <stdint.h>

struct load;
struct profile;
struct zones_of_profile;

/* What a wait was named by: an object or a function of a module, for a profile to keep (keep.h). */
struct wait_fact {
	uint32_t module; /* index into modules of struct zones */
	uint64_t start, size;
	const char *name; /* valid as long as the zones */
};

struct wait_facts {
	struct wait_fact *list;
	size_t count, room;
};

/*
 * Gives the waits of P, whose node I is the tree's node MAP[I], to zones of their own. The nodes
 * from number FIRST on are P's, and have their costs.
 */
void waits_add(struct load *l, const struct profile *p, struct zones_of_profile *zones,
	       const uint32_t *map, size_t first);

/* The name of a system call; NULL: none that waits. */
const char *wait_calls_name(int32_t number);

#endif
