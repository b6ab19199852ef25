/* SPDX-License-Identifier: MIT */
/*
 * paused.h - takes pauses (pause.h) off a thread's time.
 *
 * `paused` of a track counts the ticks of pauses that have been taken off the thread's time. If the
 * process has been paused for longer, the difference is taken off the time since the thread's last
 * event. For a track that begins, all earlier pauses count as taken off.
 */
#ifndef ZPROF_PAUSED_H
#define ZPROF_PAUSED_H

#include "preload/track/track.h"

/* Takes off all pauses until `ticks`, the clock's reading now; makes track->alive current. */
void paused_settle(struct track *track, uint64_t ticks);

/* Takes off the pauses until the clock's reading `ticks`, `total` ticks since the beginning. */
void paused_settle_until(struct track *track, uint64_t ticks, uint64_t total);

/* Counts all pauses until `ticks` as taken off, for a track that begins. */
void paused_owe_nothing(struct track *track, uint64_t ticks);

#endif
