/* SPDX-License-Identifier: MIT */
/*
 * barriers.h - signal handlers on a stack of their own (sigaltstack).
 *
 * Such a handler interrupts the zone on top, and returns there. So the zone stack stays, and a
 * *barrier* is put on top: a frame with a CFA of all ones, at which every search by address stops.
 * The handler's zones lie above the barrier. The next event from a stack below the barrier removes
 * it, with all zones that are still open above it.
 *
 *     bottom -> [ root    ]
 *               [ run     ]        interrupted
 *               [ barrier ]        node of run again; the bounds of run's stack are kept beside it
 *        top -> [ on_alrm ]        in the bounds of the signal stack
 */
#ifndef ZPROF_BARRIERS_H
#define ZPROF_BARRIERS_H

#include "preload/track/track.h"

/*
 * Puts a barrier: the thread has come to the signal stack [low, low + bytes). If there is no room,
 * nothing is done.
 */
void barriers_put(struct track *k, uintptr_t low, uintptr_t bytes);

/* Removes the barrier above the stack that `sp` is on. False: `sp` is on none of those stacks. */
bool barriers_lift(struct track *k, uintptr_t sp);

/* Removes all barriers, as the thread has switched to another stack altogether. */
void barriers_lift_all(struct track *k);

/*
 * The bounds of the stack that `sp` is on: the current one, or one below a barrier. False: `sp` is
 * on none of them.
 */
bool barriers_came_through(const struct track *k, uintptr_t sp, uintptr_t *low, uintptr_t *bytes);

#endif
