/* SPDX-License-Identifier: MIT */
/*
 * ends.h - where a thread's frames (turns of its main loop, or requests) begin and end, and which
 * open zones took time in them.
 *
 * The zones entered in a frame are in a list (frames/touched.h). Any other zone that took time in
 * the frame was already open when the frame began. Such zones are found as the frame ends:
 *
 *   - in mode `exact`, time passes between any two events, so a zone that was current has more
 *     ticks than when the frame began. The zones that were open then are looked at from the top
 *     down, to the first one without more ticks: no zone below it has been current. So the search
 *     looks at one zone more than have run;
 *   - in mode `count`, a zone takes time only by the kernel's notes, and the look that charges them
 *     adds the zone to the list (charge_look()).
 *
 *     frame begins:  main  serve  handle  parse          the ticks of each are remembered
 *     frame ends:    main  serve  reply
 *                      |     |       '- was entered: it is in the list
 *                      |     '- has more ticks; handle and parse too: they ran
 *                      '- has no more ticks: stop. The frame shows main only as a caller.
 */
#ifndef ZPROF_ENDS_H
#define ZPROF_ENDS_H

#include "preload/frames/frames.h"
#include "preload/track/track.h"

/*
 * The kind of frames with this name, or (`name` NULL) of the calls of function `zone`. It is made
 * if it is missing. NULL: no room, or too many kinds.
 */
struct kind *ends_kind(struct track *track, const char *name, uint64_t zone);

/*
 * The time now, by the clock of frames: the event's ticks in mode `exact`, else nanoseconds of
 * CLOCK_MONOTONIC.
 */
uint64_t ends_clock(const struct track *track, const struct event *e);

/*
 * Ends the kind's frame at `now`; time must have been charged up to now. `keep`: the frame counts,
 * else it is discarded. `again`: the kind's next frame begins right after this work.
 */
void ends_frame(struct track *track, struct kind *kind, uint64_t now, bool keep, bool again);

/* Begins a frame with the call of the zone on top, made at `now`. */
void ends_begin(struct track *track, struct kind *kind, uint64_t now);

/* Drops the frames under way, as another thread takes over the lineage. */
void ends_begin_thread(struct track *track);

#endif
