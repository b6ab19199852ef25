/* SPDX-License-Identifier: MIT */
/*
 * via.h - the code without hooks that lies between a zone and the zone that called it.
 *
 * If main calls qsort, which calls a comparison in the program, the zone stack says main ->
 * compare. When a context is entered for the first time, and its real caller is not the zone below
 * it, the stack is unwound from the new zone to the zone below. The return addresses between them
 * are written to the profile, and a report shows their names. This is done once for a pair of zones
 * (or a few times: the table of pairs is small), so it costs the hot path nothing.
 *
 * The walk also finds open zones that are not on the real stack any more, where their CFAs do not
 * show it: a thread that has left all its functions by pthread_exit() runs its destructors further
 * down the same stack.
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
 * Before a context is made: collects in *via the return addresses between the track's top and the
 * frame `cfa` of event `e`. Open zones that are not on the real stack are taken off the zone stack,
 * so the top may be another zone afterwards.
 */
void via_look(struct track *track, const struct event *e, uintptr_t cfa, struct via *via);

/* Writes the addresses in *via, if any, to the profile, for the context `node` that was made. */
void via_record(struct track *track, const struct via *via, const struct zprof_node *node);

/*
 * Called when the hook in progress on a tree's track was left by a jump: lets other threads write,
 * if that hook was writing a record.
 */
void via_left(struct process *p, const struct tree *tree);

#endif
