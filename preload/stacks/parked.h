/* SPDX-License-Identifier: MIT */
/*
 * parked.h - the zones that are open on a stack that no thread runs on.
 *
 * A track holds the open zones of the one stack that its thread runs on. When the thread switches
 * stacks, these zones are put aside with the stack (`frames` of struct stack), each with its CFA
 * and the fields of its node's twin. The thread that runs on the stack next takes the zones up:
 *
 *     track       bottom [ root ]                     track       bottom [ root ]
 *                        [ run  ]  put aside  ------>        top  [ other ]  taken up
 *            top         [ step ]                     stack 2     run, step
 *
 * A stack may go on in another thread. The second thread then enters the open zones again in its
 * own tree, without counting calls. If the first thread has had no event since it left the stack,
 * the frames are still in its track, and are copied from there. And a thread may end while it runs
 * on a stack that is not its own (a coroutine's): the zones that are open there go on in whichever
 * thread runs on the stack next.
 *
 * Zones that are put aside may also be lost: the stack is used anew, or its memory is freed. Such
 * zones never returned, and are counted as left by a jump.
 *
 * The caller holds the stack's lock (stacks_lock()), unless no other thread can know the stack;
 * parked_outlives() and parked_forget() take the lock themselves. It is held while a few frames are
 * copied. A handler that interrupts the lock's holder never takes it, because handlers of
 * interrupted hooks work on levels of their own.
 */
#ifndef ZPROF_PARKED_H
#define ZPROF_PARKED_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/* Copies all open zones but the bottom from a track to the stack they belong to. */
void parked_put(struct stack *s, const struct track *k);

/* As parked_put(), for a stack whose frames are in another thread's track. That thread's current node. */
uint32_t parked_put_of(struct stack *s, const struct lineage *other);

/* Moves the zones put aside on the stack to a track that has no open zone. */
void parked_take(struct track *k, struct stack *s);

/* Drops the zones put aside on the stack, and counts them as never returned. */
void parked_drop(struct process *p, struct stack *s);

/*
 * Called when a thread has ended. If it ran on a stack that was not its own, by its last event, the
 * zones open there are put aside.
 */
void parked_outlives(struct lineage *ended);

/* Removes a stack that exists no more, and drops its zones. */
void parked_forget(struct process *p, struct stack *s);

#endif
