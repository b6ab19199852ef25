/* SPDX-License-Identifier: MIT */
/*
 * ends.h - where the frames of a thread begin and end, and what was open meanwhile.
 *
 * What was entered in a frame is in a list (frames/touched.h). What else has taken time was open
 * when the frame began, and is found when it ends:
 *
 *   - where calls are timed, time passes between any two events, so a zone that was current has
 *     more ticks than before. The zones that were open are looked at from the top down, to the
 *     first that has no more ticks than before: below that one, nothing has been current. So it
 *     takes no longer than what ran;
 *   - where calls are counted, a zone takes time by being seen, and the look says so (charge_look).
 *
 *     frame begins:  main  serve  handle  parse          ticks noted of each
 *     frame ends:    main  serve  reply
 *                      |     |       '- was entered: it is in the list
 *                      |     '- has more ticks; handle and parse too: they ran
 *                      '- has as many as before: stop. It is in no frame but as the caller of all.
 */
#ifndef ZPROF_ENDS_H
#define ZPROF_ENDS_H

#include "preload/frames/frames.h"
#include "preload/track/track.h"

/*
 * The kind of frames of this name, or of this function's calls (`name` is NULL then), made if it is
 * missing. NULL: there is no room, or there are too many.
 */
struct kind *ends_kind(struct track *track, const char *name, uint64_t zone);

/* The clock of frames: the event's where calls are timed, else CLOCK_MONOTONIC. */
uint64_t ends_clock(const struct track *track, const struct event *e);

/*
 * Ends the frame that is under way, at `now`; time has been charged up to now. `keep`: it counts.
 * `again`: the next begins as soon as this has been done.
 */
void ends_frame(struct track *track, struct kind *kind, uint64_t now, bool keep, bool again);

/* A frame begins with the call of the zone on top, made `now`. */
void ends_begin(struct track *track, struct kind *kind, uint64_t now);

/* Another thread goes on with a lineage: no frame is under way. */
void ends_begin_thread(struct track *track);

#endif
