/* SPDX-License-Identifier: MIT */
/*
 * slow.h - the slow way: entries and exits that the hot path (hot.h) does not handle. slow_enter()
 * and slow_exit() ask questions, one after the other; for each, other files know the answer.
 *
 *     is it to be recorded?      only (left out), pause, sites (hooks were off)
 *     which stack is this?       stack: coroutines, handlers on a stack of their own, a thread that was switched
 *     which stack frame?         location: where in the program the hook was called, and how its frame is found there
 *     which zone?                entry: the caller (caller); exit: the zone that ends (parts: in
 *     another frame)
 *
 * Then the time since the last event is charged to the zone that was current (charge), zones that a
 * jump has left are closed, and the zone stack changes. An entry has one more question:
 *
 *     which node?                tree: its caller's child for this zone, made at the first call
 */
#ifndef ZPROF_SLOW_H
#define ZPROF_SLOW_H

#include "preload/track/track.h"

/*
 * Record an entry or exit that is unusual. The hook has set the track's busy, and clears it later.
 */
void slow_enter(struct track *track, const struct event *e);
void slow_exit(struct track *track, const struct event *e);

/*
 * Whether an exit may find no open zone because its entry was left out on purpose (a pause, only=),
 * or lost and counted already.
 */
bool slow_losses_explain(const struct process *p);

#endif
