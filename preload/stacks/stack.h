/* SPDX-License-Identifier: MIT */
/*
 * stack.h - which stack a thread runs on, and the zones open on those it does not run on.
 *
 * Frames can be compared by address only within one stack, so a track knows the bounds of the stack
 * it runs on. An event from outside of these bounds is looked into here. It may come from
 *
 *   - a signal stack: its handler interrupted the zone on top, and will return there (barriers.h);
 *   - another stack, a coroutine's or a context's. The open zones are put aside with the stack they
 *     belong to, and those put aside for the other stack are taken up (parked.h): each stack keeps
 *     its own zone stack. A stack met for the first time begins at the thread's root.
 *
 * Bounds are learned: a thread's own from /proc/self/maps, those of a context from makecontext
 * (which is interposed), others by zprof_stack(), and failing that from the mapping the event's
 * address lies in, which is right for a stack that has a mapping of its own. If the mapping cannot
 * be asked for either (a chroot without /proc), a thread has no bounds: all its events count as
 * being on one stack. A stack may also be an array in a frame of another (arrays.h).
 *
 * The files, from the top: stack.c says what an event from elsewhere means; arrays, barriers and
 * parked do what has to be done; stacks.h finds the stack around an address.
 */
#ifndef ZPROF_STACK_H
#define ZPROF_STACK_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/* Bounds for a thread's track as it begins with this event. */
void stack_of_thread(struct track *track, uintptr_t sp);

/*
 * The same for the track of a level above 0, as the first event of a handler finds it: the stack
 * that was interrupted, or the signal stack. Levels do not follow the program to other stacks.
 */
void stack_of_level(struct track *track, const struct track *below, uintptr_t sp);

/*
 * In a forked child: the same stack as `before`, and the same others, none of which another thread
 * is using now.
 */
void stack_inherit(struct track *track, const struct track *before);

/* The event comes from outside of the bounds that the track knows; time has been charged. */
void stack_switch(struct track *track, const struct event *e);

/* The end of the current stack, for searching it. */
uintptr_t stack_end(const struct track *track, const struct event *e);

/*
 * Learns that [low, low + bytes) is a stack, on which nothing runs yet: what was known of
 * overlapping ones is forgotten. It may be an array in a frame of the stack that this is called on.
 */
void stack_learn(struct process *p, uintptr_t low, uintptr_t bytes);

#endif
