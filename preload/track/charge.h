/* SPDX-License-Identifier: MIT */
/*
 * charge.h - what a stretch of a thread took, given to the zone that was current.
 *
 * A hook event ends a stretch. What is then known of the stretch comes from two sources, and goes
 * to the zone that was on top of the zone stack until now:
 *
 *     the clock        under clock=exact: the ticks since the last event      charge_event()
 *     the sampler      what the kernel has noted of the thread meanwhile      charge_look()
 *
 * So code that changes the zone stack charges first. Some time is taken from a zone again, or given
 * to another:
 *
 *   - what the library itself took, where that is much (a new file page, a module that is read), goes to
 *     `[zprof]`, by charge_own();
 *   - what a handler took that had interrupted a hook is in the hook's stretch, and is the handler's.
 *     The level above says so by charge_rob(), and the interrupted hook ends with charge_settle() (track.h,
 *     "Hooks that are interrupted").
 */
#ifndef ZPROF_CHARGE_H
#define ZPROF_CHARGE_H

#include "preload/track/track.h"

/* Charges the time since the last event to the zone on top. */
void charge_event(struct track *track, const struct event *e);

/*
 * A thread that is killed here has charged a node and not yet noted the clock, never the other way
 * round (format.h).
 */
CPU void charge_made(struct track *track, struct zprof_node *node)
{
	cpu_in_order(&node->self_ticks, track->last);
}

/* Charges what has been seen of the thread since its last event to the zone on top. */
void charge_look(struct track *track, const struct event *e);

/*
 * Before the library's own work, which may take long: where others' time must be asked for
 * (notes.h), it is the zone's on top until now.
 */
void charge_others(struct track *track);

/* Charges it to no zone. */
void charge_overlook(struct track *track);

/* As charge_look(), between two events of the calling thread, which may have none any more. */
void charge_look_now(void);

/* The same, before system calls are forbidden: the thread is sampled after that, too. */
void charge_look_ahead(void);

/* Charges the time since the last event to the library itself, if it took any. */
void charge_own(struct track *track);

/* A handler that interrupted this track's hook has taken so much time. */
void charge_rob(struct track *track, uint64_t ticks);

/*
 * Ends a hook that found a mark in busy: one called with `sp`, or, before it could do so, an event
 * with that of its own.
 */
void charge_settle(struct track *track, uintptr_t sp);

static inline bool charge_unsettled(const struct track *track)
{
	return track->busy == TRACK_UNSETTLED || track->busy == TRACK_MARK;
}

#endif
