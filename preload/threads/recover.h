/* SPDX-License-Identifier: MIT */
/*
 * recover.h - a hook that was interrupted by a signal handler, and that the handler's longjmp has
 * left for good.
 */
#ifndef ZPROF_RECOVER_H
#define ZPROF_RECOVER_H

#include "preload/track/track.h"

/* Whether the hook in progress on a track cannot be going on: this event is no handler's that
 * interrupted it. */
bool recover_is_dead(const struct track *track, const struct event *e);

/*
 * True if the hook in progress on this track is dead: an event comes from higher up the same stack.
 * Then the track has been put right: the levels above are closed, time is booked, busy is 0. False:
 * the hook is alive, and merely interrupted.
 */
bool recover_abandoned(struct track *track, const struct event *e);

/*
 * A thread that was cancelled inside a hook may have charged a zone and died before it noted the
 * clock: then the note is completed. For threads that have ended.
 */
void recover_ended(struct lineage *lineage);

#endif
