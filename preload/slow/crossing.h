/* SPDX-License-Identifier: MIT */
/*
 * crossing.h - what goes on in a new tree: a thread in the next recording (recordings.h), or in a
 * forked child.
 *
 * The thread gets a lineage of its own there (lineage.h), and so a record and a tree in the
 * profile. The zones that are open on its stack are entered again, without counting calls:
 *
 *     recording 1                     recording 2
 *     root <- main <- serve <- read   root <- main <- serve          what is still open
 *             1       9        40             0       0 <- read      calls
 *                                                          7
 *
 * A thread does so itself, at its first event there; one that has none leaves nothing there. Time
 * until the recording ended is charged to the tree before, time since the next began to the new
 * one, so that in each tree the sum is what the clock says. Stacks that are put aside (parked.h)
 * and zones that an interpreter has put aside (lent/lent_stacks.c) know whose tree they are of, and
 * are entered again when they are taken up.
 *
 * Frames that were under way are left out of all (frames/frames.h), and calls by place
 * (callsites.h) take time until here.
 *
 * The memory that the tree before was searched with is given back; its thread's zone stack is not,
 * since other threads may still read it.
 */
#ifndef ZPROF_CROSSING_H
#define ZPROF_CROSSING_H

#include "preload/track/track.h"

enum crossing {
	CROSSING_NONE,    /* the track was right as it is */
	CROSSING_DONE,    /* the thread has begun in another tree: that took time */
	CROSSING_NO_ROOM, /* counted, once: the thread is not recorded */
};

/*
 * Takes the calling thread's track of level 0 to the latest recording, unless it is there or a
 * pause is in force; and settles its account of pauses.
 */
enum crossing crossing_look(struct track *track, const struct event *e);

/*
 * In a forked child: a lineage in a process of its own for track_self, with the frames as they
 * were. False: nothing is recorded from here on.
 */
bool crossing_forked(void);

#endif
