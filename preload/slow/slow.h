/* SPDX-License-Identifier: MIT */
/*
 * slow.h - what the hot path leaves to others: the entry and the exit of a function, each told as a
 * list of questions that are asked one after the other, each of one file.
 *
 *     is it to be recorded?      only (left out), pause, sites (hooks were off)
 *     which stack is this?       stack: coroutines, handlers on a stack of their own, a thread that was switched
 *     which stack frame?         location: where in the program the hook was called, and how its frame is found there
 *     which zone?                caller, of an entry; of an exit, the one it ends, in its frame or in parts' (parts)
 *
 * Then the time that has passed is charged to the zone that was current (charge), zones that a jump
 * has left are closed, and the zone stack changes. An entry has a last question,
 *
 *     which node?                tree: the child of its caller for this zone, made at the first call
 *
 * Each question is answered before the next one changes anything.
 */
#ifndef ZPROF_SLOW_H
#define ZPROF_SLOW_H

#include "preload/track/track.h"

/* For a hook that has set busy and found something that is not as it usually is. */
void slow_enter(struct track *track, const struct event *e);
void slow_exit(struct track *track, const struct event *e);

/*
 * Whether what is known to be lost, or was left out on purpose, can be why an exit finds its zone
 * not open.
 */
bool slow_losses_explain(const struct process *p);

#endif
