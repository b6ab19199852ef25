/* SPDX-License-Identifier: MIT */
/*
 * awake.h - which zones are still open after hooks were switched off for a while.
 *
 * A function that ends while its hooks are off (sites.h) leaves its zone open. So at a thread's
 * first event after hooks are on again, the real stack is walked and compared with the zone stack:
 *
 *     zone stack      real stack, by .eh_frame
 *     main            main             the same frame (CFA), of the same function: still open
 *     serve           serve            still open
 *     parse           -                has ended: closed
 *     read            work             another function in a frame at this place: closed
 *
 * A function that has returned and was called again from the same place counts as still open, since
 * its context is the same. But if the event itself is that second call, the old zone is closed, as
 * always when a new call finds an open zone in its frame. Further zones that this event closes
 * count as closed by the switch, not by a jump (open_abandon()). Functions that were entered while
 * hooks were off are not known; their callees count as called by the innermost zone that is known.
 *
 * Three kinds of zones are closed without being compared: functions inlined into another, since no
 * stack frame shows whether they still run; lent zones above a closed zone; and all zones, if the
 * walk cannot reach its end, or begins on a signal stack. SWITCHED_OPEN counts all closed zones.
 *
 * A thread that has missed a choice of functions (chosen.h) is compared in the same way.
 *
 * Samples taken since the thread's last event are charged to no function.
 */
#ifndef ZPROF_AWAKE_H
#define ZPROF_AWAKE_H

#include "preload/track/track.h"

/*
 * Compares the track with the real stack, if hooks were off since the last comparison, and if the
 * event comes from the stack that the track knows. Then track->awoken is set until the next event
 * on the slow way.
 */
void awake_look(struct track *track, const struct event *e);

#endif
