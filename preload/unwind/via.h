/* SPDX-License-Identifier: MIT */
/*
 * via.h - what lies between a zone and the zone that called it: code that was not instrumented.
 *
 * main calls qsort, which calls main's comparison: the zone stack says main -> compare. When a
 * context is entered for the first time, and its real caller is not the zone below it, the stack is
 * unwound from the one to the other and the return addresses are written to the profile, where a
 * report gives them names. It is done once for a pair of zones (or a few times: what was done is
 * kept in a small table), so it costs the hot path nothing.
 *
 * The walk also shows zones that are not on the real stack any more, though nothing contradicts
 * their frames: a thread that has left all its functions by pthread_exit runs its destructors
 * further down the same stack.
 */
#ifndef ZPROF_VIA_H
#define ZPROF_VIA_H

#include <stdbool.h>
#include <stdint.h>

#define VIA_SEEN 16384u

#define VIA_MAX 64

struct event;
struct process;
struct track;
struct tree;
struct zprof_node;

struct via {
	uint64_t addresses[VIA_MAX]; /* return addresses, the innermost first */
	uint32_t count;
	bool whole; /* the walk ended at a zone's frame, or at the beginning of the stack */
};

/*
 * Before a context is made: looks what lies between the track's top and the frame `cfa` of event
 * `e`. Zones found not to be on the stack are abandoned, so the top may be another afterwards.
 */
void via_look(struct track *track, const struct event *e, uintptr_t cfa, struct via *via);

/* Writes what was found, if anything, for the context `node` that was made. */
void via_record(struct track *track, const struct via *via, const struct zprof_node *node);

/* The hook in progress on a tree's track has been left for good: it will record nothing more. */
void via_left(struct process *p, const struct tree *tree);

#endif
