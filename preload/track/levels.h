/* SPDX-License-Identifier: MIT */
/*
 * levels.h - the tracks that a thread counts in while one of its hooks is interrupted by a signal.
 *
 * Level 0 is the thread's own track (track_self). A handler that interrupts a hook of level n
 * counts in the track of level n + 1 (track.h tells why). A level's track is made when it is first
 * needed, and then belongs to the lineage.
 */
#ifndef ZPROF_LEVELS_H
#define ZPROF_LEVELS_H

#include "preload/track/lineage.h"

/* The track of a level above 0, made if it is missing; NULL: no memory, or too deep. */
struct track *levels_get(struct lineage *lineage, uint32_t level);

/* The track one level below `track`, which is of a level above 0. */
struct track *levels_below(const struct track *track);

/* Empties the levels' zone stacks as another thread takes over the lineage. */
void levels_reset(struct lineage *lineage);

#endif
