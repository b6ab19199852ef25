/* SPDX-License-Identifier: MIT */
/*
 * awake.h - which zones are still open after hooks were switched off for a while.
 *
 * A function that ends while its hooks are off (sites.h) leaves its zone open. So a thread's first
 * event after they are on again walks the real stack, and compares:
 *
 *     zone stack      real stack, by .eh_frame
 *     main            main             the same frame (CFA), of the same function: still open
 *     serve           serve            still open
 *     parse           -                has ended: closed
 *     read            work             another function in a frame at this place: closed
 *
 * A function that has been left and called again from the same place counts as still open: it is
 * the same context. But if the event is that call, then its zone is closed like any that a new
 * frame finds in its place. What the event closes beyond this comparison is attributed to the
 * switch, too, not to a jump (open_abandon). Functions that were entered while hooks were off are
 * not known; what they call counts as called by the innermost zone that is known.
 *
 * Closed, too: what was inlined into a function, since no frame says that it is still running;
 * zones lent above what is closed; and everything, if the walk cannot come to its end, or begins on
 * a signal stack. SWITCHED_OPEN counts all these.
 *
 * The same is done for a thread that has missed a choice of functions (chosen.h).
 *
 * Samples taken since the thread's last event are charged to no function.
 */
#ifndef ZPROF_AWAKE_H
#define ZPROF_AWAKE_H

#include "preload/track/track.h"

/*
 * Compares, unless that has been done, if the event comes from the stack that the track knows; then
 * track->awoken says so until the next event on the slow way.
 */
void awake_look(struct track *track, const struct event *e);

#endif
