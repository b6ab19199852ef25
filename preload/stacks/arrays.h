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
 * An address in the array lies on both stacks. A track that runs on the outer stack sets its bounds
 * to the memory below the array, so that an event from the array is examined (stack.h). And an
 * array is forgotten when its function (f above) has been left, or when an event of the outer stack
 * comes from above the array: then frames of other functions use the memory.
 */
#ifndef ZPROF_ARRAYS_H
#define ZPROF_ARRAYS_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/*
 * If the new stack `s` is an array in a frame of the stack that the track runs on (`sp` is its
 * stack pointer), notes the zone of that frame: the array is gone when that zone ends.
 */
void arrays_note(struct track *k, struct stack *s, uintptr_t sp);

/* Sets the track's bounds to the part of its stack below all arrays; `sp`: its stack pointer. */
void arrays_confine(struct track *k, uintptr_t sp);

/* The stack around an address, or NULL. Arrays whose function has been left are forgotten first. */
struct stack *arrays_find_living(const struct track *k, uintptr_t sp);

/* Whether an address lies on the stack that a track runs on, or in an array there. */
bool arrays_hold(const struct track *k, uintptr_t address);

/* Whether a track runs on `s`, and s's place in the table has not been given to another stack. */
static inline bool arrays_runs_on(const struct track *k, const struct stack *s)
{
	return s && s == k->stack && s->serial == k->stack_serial;
}

#endif
