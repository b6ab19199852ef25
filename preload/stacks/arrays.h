/* SPDX-License-Identifier: MIT */
/*
 * arrays.h - stacks that are arrays in frames of another stack.
 *
 *     void f(void)
 *     {
 *             char room[65536];                     the stack of f:  | ... main | f  [ room ] |
 *             makecontext(&c, g, ...);  on room                                     ^
 *             swapcontext(&back, &c);                                g runs here ---'
 *     }
 *
 * An address in the array lies on both stacks. A track that runs on the outer one takes only what
 * lies below the array for its own stack, so that an event from elsewhere is looked into. And an
 * array is forgotten when the function it was in has been left, or an event of the outer stack
 * comes from above it: the same memory is frames of other functions then.
 */
#ifndef ZPROF_ARRAYS_H
#define ZPROF_ARRAYS_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/*
 * Is this new stack an array in a frame of the one that the track runs on, whose stack pointer that
 * is? Then the zone of that frame is noted as the one that it does not outlive.
 */
void arrays_note(struct track *k, struct stack *s, uintptr_t sp);

/* Which part of the stack that a track runs on is its own, now that its stack pointer is sp. */
void arrays_confine(struct track *k, uintptr_t sp);

/* The stack around an address that is no array whose function has been left; or NULL. */
struct stack *arrays_find_living(const struct track *k, uintptr_t sp);

/* Whether an address lies on the stack that a track runs on, or in an array there. */
bool arrays_hold(const struct track *k, uintptr_t address);

/* Whether a track runs on that stack, and the place in the table has not become another's. */
static inline bool arrays_runs_on(const struct track *k, const struct stack *s)
{
	return s && s == k->stack && s->serial == k->stack_serial;
}

#endif
