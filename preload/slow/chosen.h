/* SPDX-License-Identifier: MIT */
/*
 * chosen.h - what is open when functions are chosen anew (code/only.h).
 *
 * A function that is not watched any more has no hooks (sites/sites.h), so its return is not seen.
 * It is taken off the zone stack instead: from then on it is as if it had never had hooks, and what
 * it called goes on as called by its caller. There it is entered again, not called: no count
 * changes.
 *
 *     zone stack      watched now         afterwards
 *     main            yes                 main
 *     parse           no                  -
 *     read            yes                 read, in the node main -> read
 *     copy            no                  -
 *
 * Zones that are watched keep their hooks throughout, so all of their calls are seen, before,
 * during and after. A function that is watched again while it runs leaves with an exit that
 * finds nothing (SWITCHED_EXIT).
 *
 * Each thread does so itself: at its first event after the choice, which pause_knock() has led to
 * the slow way. What passed before the choice is still charged to the zone that was on top, as far
 * as clock and samples tell. Its tree forgets how functions that are left out were entered:
 * otherwise the usual way (hot.h) would still find them if their hooks could not be switched off.
 *
 * Zones of a stack that has been put aside (a coroutine's) are looked at when it is taken up, by
 * the same comparison of `chosen`.
 */
#ifndef ZPROF_CHOSEN_H
#define ZPROF_CHOSEN_H

#include "preload/track/track.h"

/*
 * Whether it has missed a choice: a function may have been unwatched, have returned, and be watched
 * again. Then the real stack says what is open (awake.h).
 */
bool chosen_missed(const struct track *track);

/* Brings the track in line, unless that has been done. */
void chosen_look(struct track *track, const struct event *e);

#endif
