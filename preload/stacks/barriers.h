/* SPDX-License-Identifier: MIT */
/*
 * barriers.h - signal handlers on a stack of their own (sigaltstack).
 *
 * Such a handler interrupted the zone on top. The frames stay, and a *barrier* is put on them: a
 * frame with a CFA of all ones, at which every search by address stops. Above it are the handler's
 * zones. The next event from below the barrier takes it away, with what is still open above it.
 *
 *     bottom -> [ root    ]
 *               [ run     ]        interrupted
 *               [ barrier ]        node of run again; the bounds of run's stack are kept beside it
 *        top -> [ on_alrm ]        in the bounds of the signal stack
 */
#ifndef ZPROF_BARRIERS_H
#define ZPROF_BARRIERS_H

#include "preload/track/track.h"

/* The thread has come to the signal stack [low, low + bytes). Without room, nothing is done. */
void barriers_put(struct track *k, uintptr_t low, uintptr_t bytes);

/* The stack pointer is on a stack below a barrier: takes that barrier away. False: it is not. */
bool barriers_lift(struct track *k, uintptr_t sp);

/* Takes all away: the thread is on another stack altogether. */
void barriers_lift_all(struct track *k);

/* Which of the stacks that a track has come through holds an address. False: none does. */
bool barriers_came_through(const struct track *k, uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

#endif
