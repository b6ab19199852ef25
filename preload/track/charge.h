/* SPDX-License-Identifier: MIT */
/*
 * charge.h - charges the time of a thread's stretch to the zone that was current.
 *
 * A hook event ends a stretch. The stretch's time is known from two sources, and goes to the zone
 * that was on top of the zone stack until now:
 *
 *     the clock        under clock=exact: the ticks since the last event      charge_event()
 *     the sampler      the kernel's notes of the thread since the last look   charge_look()
 *
 * So code that changes the zone stack must charge first. Two kinds of time do not stay with the
 * zone on top:
 *
 *   - the library's own time, where it is long (a new file page, a module that is read), goes to
 *     `[zprof]`, by charge_own();
 *   - the time of a handler that interrupted a hook lies in the hook's stretch, but belongs to the
 *     handler's zones. The track of the level above takes it from the hook's track by charge_rob(),
 *     and the interrupted hook ends with charge_settle() (track.h, "Hooks that are interrupted").
 */
#ifndef ZPROF_CHARGE_H
#define ZPROF_CHARGE_H

#include "preload/track/track.h"

/* Charges the ticks from the last event to this one to the zone on top. */
void charge_event(struct track *track, const struct event *e);

/*
 * To be called between the store of a node's ticks and the store of *track->last: the first is then
 * made before the second. So a thread that is killed between them has charged the node and not yet
 * moved `last`, never the other way round (format.h).
 */
CPU void charge_made(struct track *track, struct zprof_node *node)
{
	cpu_in_order(&node->self_ticks, track->last);
}

/* Reads the kernel's notes since the last look, and charges them to the zone on top. */
void charge_look(struct track *track, const struct event *e);

/*
 * To be called before long work of the library's own. Where the kernel must be asked how long other
 * threads had the processor (notes.h), charges that time up to now to the zone on top.
 */
void charge_others(struct track *track);

/* Reads the kernel's notes since the last look, and charges them to no zone. */
void charge_overlook(struct track *track);

/*
 * As charge_look(), for the calling thread between two of its events. There may be no later event,
 * so time that no note tells of is settled too (notes_rest()).
 */
void charge_look_now(void);

/*
 * As charge_look_now(), before the program forbids itself system calls. Sampling goes on after
 * that, so the ring is prepared for it.
 */
void charge_look_ahead(void);

/* Charges the time since the last event to the library itself, if it took any. */
void charge_own(struct track *track);

/* Tells a track whose hook was interrupted how many ticks the handler took. */
void charge_rob(struct track *track, uint64_t ticks);

/*
 * Takes `stolen` off the current node, and clears busy. Called by a hook that found a mark in busy
 * as it ended, with its sp; or by an event, with its own sp, if that hook has not settled yet.
 */
void charge_settle(struct track *track, uintptr_t sp);

/* Whether an event finds a track where no hook is in progress, but `stolen` is not settled. */
static inline bool charge_unsettled(const struct track *track)
{
	return track->busy == TRACK_UNSETTLED || track->busy == TRACK_MARK;
}

#endif
