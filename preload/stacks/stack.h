/* SPDX-License-Identifier: MIT */
/*
 * stack.h - which stack a thread runs on, and what happens when it switches to another.
 *
 * Frames can be compared by address only within one stack, so a track knows the bounds of the stack
 * it runs on. An event from outside these bounds is examined here. It may come from
 *
 *   - a signal stack: its handler interrupted the zone on top, and will return there (barriers.h);
 *   - another stack, a coroutine's or a context's. The open zones are put aside with their stack,
 *     and the zones put aside for the other stack are taken up (parked.h): each stack keeps its own
 *     zone stack. A stack met for the first time begins at the thread's root.
 *
 * The bounds of a thread's own stack are learned from /proc/self/maps, those of a context from
 * makecontext (which the library stands in front of), others by zprof_stack(). The bounds of any
 * other stack are those of the mapping around the event's stack pointer, which is right for a stack
 * that has a mapping of its own. If the mapping cannot be read either (a chroot without /proc), a
 * thread has no bounds: all its events count as being on one stack. A stack may also be an array in
 * a frame of another (arrays.h).
 *
 * The files, highest first: stack.c decides what an event from outside means; arrays, barriers and
 * parked carry the switch out; stacks.h finds the stack around an address.
 */
#ifndef ZPROF_STACK_H
#define ZPROF_STACK_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/* Sets the bounds of a thread's track at its first event; `sp`: the event's. */
void stack_of_thread(struct track *track, uintptr_t sp);

/*
 * Sets the bounds of the track of a level above 0, at the first event of a handler: those of the
 * interrupted stack, or of the signal stack. Levels do not follow the program to other stacks.
 */
void stack_of_level(struct track *track, const struct track *below, uintptr_t sp);

/* In a forked child: takes over stack, bounds and barriers from the parent's track `before`. */
void stack_inherit(struct track *track, const struct track *before);

/*
 * Switches the track to the stack of an event that comes from outside the track's bounds. Time must
 * have been charged before.
 */
void stack_switch(struct track *track, const struct event *e);

/* The end of the current stack: a bound for code that searches the stack upwards from the event. */
uintptr_t stack_end(const struct track *track, const struct event *e);

/*
 * Learns that [low, low + bytes) is a stack, on which nothing runs yet. Stacks known before that
 * begin inside it, and are no larger, are forgotten. The new stack may be an array in a frame of
 * the stack that this is called on.
 */
void stack_learn(struct process *p, uintptr_t low, uintptr_t bytes);

#endif
