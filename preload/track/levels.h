/* SPDX-License-Identifier: MIT */
/*
 * levels.h - the tracks that a thread counts in while a hook of its own is interrupted.
 *
 * Level 0 is the thread's own track (track_self). The handler that interrupts a hook of level n
 * counts in the track of level n + 1 (track.h tells why), which is made when it is first needed,
 * and then belongs to the lineage.
 */
#ifndef ZPROF_LEVELS_H
#define ZPROF_LEVELS_H

#include "preload/track/lineage.h"

/* The track of a level above 0, made if it is missing; NULL: no memory, or too deep. */
struct track *levels_get(struct lineage *lineage, uint32_t level);

/* The track of the level below one above 0. */
struct track *levels_below(const struct track *track);

/* Another thread begins with the lineage: no hook of it has been interrupted yet. */
void levels_reset(struct lineage *lineage);

#endif
