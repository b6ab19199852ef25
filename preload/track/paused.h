/* SPDX-License-Identifier: MIT */
/*
 * paused.h - pauses (pause.h) are taken off a thread's time.
 *
 * A thread's account is the ticks it has seen paused; what the process has been paused beyond that
 * is taken off the time since its last event. A track that begins owes nothing.
 */
#ifndef ZPROF_PAUSED_H
#define ZPROF_PAUSED_H

#include "preload/track/track.h"

/* All pauses until now. The track's word is right afterwards. */
void paused_settle(struct track *track, uint64_t ticks);

/* Those until a reading of the clock, when there had been so many ticks of them. */
void paused_settle_until(struct track *track, uint64_t ticks, uint64_t total);

void paused_owe_nothing(struct track *track, uint64_t ticks);

#endif
