/* SPDX-License-Identifier: MIT */
/*
 * chosen.h - the open zones when the user chooses anew which functions are recorded (code/only.h).
 *
 * A function that was chosen out is not *watched* any more: its hooks are off (sites/sites.h), so
 * its return would not be seen. So its zone is taken off the zone stack. Zones that it called go on
 * as callees of its caller, in other nodes. They are entered there again, not called: no count
 * changes.
 *
 *     zone stack      watched now         afterwards
 *     main            yes                 main
 *     parse           no                  -
 *     read            yes                 read, in the node main -> read
 *     copy            no                  -
 *
 * Functions that are watched before and after keep their hooks, so none of their calls is missed.
 * If a function is watched again while it runs, its exit finds no open zone (counted as
 * SWITCHED_EXIT). A barrier (stacks/barriers.h) goes on standing for the zone that it stood for. If
 * that zone is taken off, the barrier stands for the innermost zone that is left below it.
 *
 * Each thread does this for its own track, at its first event after the choice, which pause_knock()
 * has led to the slow way. The time before the choice is still charged to the zone that was on top,
 * as far as clock and samples tell. In the thread's tree, functions that are left out lose their
 * locations: otherwise the usual way (hot.h) would still enter them if their hooks could not be
 * switched off.
 *
 * A stack that has been put aside (a coroutine's) keeps its own `chosen`, so its zones are compared
 * when the stack is taken up.
 */
#ifndef ZPROF_CHOSEN_H
#define ZPROF_CHOSEN_H

#include "preload/track/track.h"

/*
 * Whether the track had no event between two choices. Then a function may have been left out, have
 * returned, and be watched again, so open zones must be compared with the real stack (awake.h).
 */
bool chosen_missed(const struct track *track);

/*
 * Takes zones that are left out off the track's zone stack, if there was a choice since the last.
 */
void chosen_look(struct track *track, const struct event *e);

#endif
