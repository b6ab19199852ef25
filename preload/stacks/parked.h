/* SPDX-License-Identifier: MIT */
/*
 * parked.h - the zones that are open on a stack that no thread runs on.
 *
 * A track holds the open zones of the one stack that its thread runs on. When the thread switches,
 * they are put aside with the stack (`frames` of struct stack), each with its CFA and with what its
 * node's twin says of the frame. The thread that runs there next takes them up:
 *
 *     track       bottom [ root ]                     track       bottom [ root ]
 *                        [ run  ]  put aside  ------>        top  [ other ]  taken up
 *            top         [ step ]                     stack 2     run, step
 *
 * A stack may go on in another thread. Its path is then entered again in that thread's tree,
 * without counting calls. The thread it left does not know yet, so the frames are taken out of that
 * thread's track. And a thread may end while it runs on a stack that is not its own: what is open
 * there goes on, too, in whichever thread comes to run on it.
 *
 * What is put aside may also be lost: the stack is used anew, or its memory is given back. Then
 * those zones never returned, and are counted as left by a jump.
 *
 * The caller holds the stack's lock (stacks_lock()), unless no other thread can know the stack;
 * parked_outlives() and parked_forget() take it themselves. It is held while a few frames are
 * copied, and never wanted by a handler that interrupts its holder (handlers of interrupted hooks
 * have levels of their own).
 */
#ifndef ZPROF_PARKED_H
#define ZPROF_PARKED_H

#include "preload/track/track.h"
#include "preload/stacks/stacks.h"

/* Copies all open zones but the bottom from a track to the stack they belong to. */
void parked_put(struct stack *s, const struct track *k);

/* The same for a stack whose frames are in another thread's track. */
void parked_put_of(struct stack *s, const struct lineage *other);

/* Takes up what is put aside on the stack, above the bottom of a track with no open zone. */
void parked_take(struct track *k, struct stack *s);

/* What is open there never returned. */
void parked_drop(struct process *p, struct stack *s);

/*
 * A thread has ended, as far as is known while it ran on a stack that is not its own: what is open
 * there is put aside.
 */
void parked_outlives(struct lineage *ended);

/* The stack is no more. */
void parked_forget(struct process *p, struct stack *s);

#endif
