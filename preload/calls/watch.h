/* SPDX-License-Identifier: MIT */
/*
 * watch.h - functions whose calls are timed one by one: frame= and tails=.
 *
 * A context's time is a sum: it does not tell whether a million calls took a microsecond each or
 * one of them a second. For functions that the user names, each call's own time is taken, from its
 * entry to its return, and goes
 *
 *   - to a histogram of the context, with the longest call as a witness (tails=; format.h, struct
 *     zprof_tail);
 *   - to the frames of the function, of which it is one (frame=; frames/frames.h). A call within a call
 *     of the same function is part of that frame.
 *
 * Whether a node is one of those is found out when it is made; it then has TWIN_WATCHED, which only
 * the instances of the hooks for callsites= look at (hooks/front.h). Its open calls are a stack of
 * their own beside the zone stack, compared with that one as in callsites.h: so a call that a jump
 * has left ends there. A thread that ends leaves its open calls out.
 *
 * Zones marked by hand and lent ones, by their names, are served in the same way; where calls are
 * watched, their events take the slow way.
 *
 * The time is the event's where calls are timed; otherwise the clock is read by a system call,
 * twice in each call.
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

/* Of a process. */
struct watching {
	bool active;
	struct ranges *frames, *tails;
	uint32_t resolved; /* modules asked about so far */
	uint32_t asking;   /* 1: a thread is asking; others do not watch what is not resolved yet */
};

/*
 * Resolves frame= and tails= for the modules known now, or takes over what the parent of a forked
 * child knew (`from`, else NULL). False, after a message: it could not be done, and nothing should
 * be recorded.
 */
bool watch_init(struct process *p, const struct process *from);

/* Of one lineage of threads. NULL: no memory. */
struct watch *watch_new(struct process *p, uint32_t thread);

/* A node has been made: whether it is one of those. */
void watch_meet(struct track *track, struct zprof_node *node);

/* Whether the zone on top is one of those. */
bool watch_is_met(const struct track *track);

/* The zone on top, which is one of those, was entered by this event. */
void watch_entered(struct track *track, const struct event *e);

/*
 * The zone that was number `depth` from the bottom is number `to` now, maybe in another node; 0: it
 * is no more, and neither are its call and frame. In the order of depth.
 */
void watch_moved(struct track *track, size_t depth, size_t to);

/* Zones have been left, and the track's top is what runs now. */
void watch_left(struct track *track, const struct event *e);

/* A thread has ended: its open calls will never return. */
void watch_end(struct track *track);

#endif
