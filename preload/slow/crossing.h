/* SPDX-License-Identifier: MIT */
/*
 * crossing.h - a thread goes on in a new tree: in the next recording (recordings.h), or in a forked
 * child.
 *
 * There the thread gets a new lineage (lineage.h), and so a new record and tree in the profile. The
 * zones that are open on its stack are entered again in the new tree, without counting calls:
 *
 *     recording 1                     recording 2
 *     root <- main <- serve <- read   root <- main <- serve          what is still open
 *             1       9        40             0       0 <- read      calls
 *                                                          7
 *
 * Each thread crosses by itself, at its first event in the new recording; a thread without an event
 * there has no tree there. Time until the old recording ended is charged to the old tree, time
 * since the next one began to the new tree, so the sum in each tree is the thread's time by the
 * clock. Stacks that are put aside (parked.h), and zones that an interpreter has put aside
 * (lent/lent_stacks.c), know the lineage whose tree they are in. Their zones are entered again in
 * the new tree when they are taken up.
 *
 * Frames of the main loop that are under way are discarded (frames/frames.h). Open calls by place
 * (callsites.h) get their time until the crossing.
 *
 * The old tree's hash is freed. The thread's old zone stack is not freed, since other threads may
 * still read it.
 */
#ifndef ZPROF_CROSSING_H
#define ZPROF_CROSSING_H

#include "preload/track/track.h"

enum crossing {
	CROSSING_NONE,    /* the track was in the right tree already */
	CROSSING_DONE,    /* the thread has begun in another tree, which took the library time */
	CROSSING_NO_ROOM, /* no room for a tree, counted once: the thread is not recorded */
};

/*
 * Takes the calling thread's track of level 0 to the latest recording, unless it is there already
 * or a pause is in force. Takes pauses off the thread's time (paused.h).
 */
enum crossing crossing_look(struct track *track, const struct event *e);

/*
 * In a forked child: begins a process record and a lineage for track_self, in which the open zones
 * go on. False: nothing is recorded from here on.
 */
bool crossing_forked(void);

#endif
