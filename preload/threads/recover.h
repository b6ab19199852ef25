/* SPDX-License-Identifier: MIT */
/*
 * recover.h - repairs the track of a *dead* hook: a signal handler interrupted the hook and left by
 * longjmp, so the hook never goes on.
 */
#ifndef ZPROF_RECOVER_H
#define ZPROF_RECOVER_H

#include "preload/track/track.h"

/*
 * Whether the hook in progress on a track is dead: event `e` comes from higher up the same stack,
 * so it is not of a handler that interrupted the hook.
 */
bool recover_is_dead(const struct track *track, const struct event *e);

/*
 * If the hook in progress on this track is dead, repairs the track: closes the levels above,
 * charges their time, and sets busy to 0. False: the hook is alive, and merely interrupted.
 */
bool recover_abandoned(struct track *track, const struct event *e);

/*
 * For a thread that has ended. If the thread was cancelled inside a hook, it may have charged a
 * zone without storing the clock (`last`): stores it now.
 */
void recover_ended(struct lineage *lineage);

#endif
