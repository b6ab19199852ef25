/* SPDX-License-Identifier: MIT */
/*
 * watch.h - functions whose calls are timed one by one: frame= and tails=.
 *
 * A context's time is a sum. It does not tell whether a million calls took a microsecond each, or
 * one of them took a second. So for functions that the user names, each call is timed, from entry
 * to return. The time goes
 *
 *   - to a histogram of the context, with the longest call as a witness (tails=; format.h, struct
 *     zprof_tail);
 *   - to the frames of the function: each call is a frame (frame=; frames/frames.h). A call within
 *     a call of the same function is part of the outer call's frame.
 *
 * A node of such a function, a *watched* node, is recognised when it is made and gets TWIN_WATCHED,
 * which only the hooks' instances for callsites= look at (hooks/front.h). The open calls of watched
 * nodes form a stack of their own beside the zone stack, and the two are compared as in
 * callsites.h: so a call that a jump has left is ended. Calls that are open as their thread ends
 * are not recorded.
 *
 * Zones marked by hand and lent zones can be watched too, by their names. If anything is watched,
 * all their events take the slow way.
 *
 * In mode `exact` the times are those of the events. In mode `count` the clock is read by a system
 * call, twice in each watched call.
 */
#ifndef ZPROF_WATCH_H
#define ZPROF_WATCH_H

#include "preload/code/resolve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event;
struct process;
struct track;
struct watch;
struct zprof_node;

/* Which functions a process watches. */
struct watching {
	bool active;
	struct ranges *frames, *tails;
	uint32_t resolved; /* how many modules the command zprof has been asked about */
	uint32_t asking;   /* 1: a thread is asking; other threads do not wait, and do not watch
			      functions of modules that are not resolved yet */
};

/*
 * Resolves frame= and tails= for the modules known now, or copies them from a forked child's parent
 * (`from`, else NULL). False, after a message: they cannot be resolved, so nothing should be
 * recorded.
 */
bool watch_init(struct process *p, const struct process *from);

/* Makes what a lineage keeps of watched nodes and of their open calls. `thread` is the id of the
 * lineage's thread record. NULL: no memory. */
struct watch *watch_new(struct process *p, uint32_t thread);

/* Decides whether a new node is watched, and marks it. */
void watch_meet(struct track *track, struct zprof_node *node);

/* Whether the node on top is watched. */
bool watch_is_met(const struct track *track);

/* Begins the call by which this event entered the zone on top, a watched one. */
void watch_entered(struct track *track, const struct event *e);

/*
 * Called after zones were taken out of the zone stack's middle (only=), in the order of depth: the
 * zone that was number `depth` from the bottom is number `to` now, maybe in another node. `to` 0:
 * the zone was taken out, so its call is dropped and its frame discarded.
 */
void watch_moved(struct track *track, size_t depth, size_t to);

/* Ends the calls of zones that have been left; the zone on top runs from now on. */
void watch_left(struct track *track, const struct event *e);

/* Drops all open calls of a thread that has ended: they will never return. */
void watch_end(struct track *track);

#endif
