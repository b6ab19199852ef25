/* SPDX-License-Identifier: MIT */
/*
 * history.h - single frames that are kept: the latest (history=), and the slowest.
 *
 * The latest frames go into sections, one after another. When the process has used up
 * history_bytes, sections are used again, the oldest first:
 *
 *     newest -> [ 31 32 33 . ] -> [ 21 .. 30 ] -> [ 11 .. 20 ] -> (the oldest is the next to be used)
 *
 * A frame takes 64 bytes, and 24 for each node that ran in it (history=full), or 8 for each zone
 * (history=self). Each kind of a thread gets two sections even when history_bytes are used up.
 *
 * Each of the slowest frames has a section. In one section more the next slow frame is written,
 * before it takes the place of the fastest of the slowest. So none of the slowest frames is ever
 * missing, and none is half-written in the profile of a killed process. Only a frame that becomes
 * one of the slowest costs a copy: of n frames in any order, some ZPROF_SLOWEST * ln(n).
 *
 * Frames are ranked by their wall time without the time in which others had the processor: on a
 * busy machine, frames that were merely interrupted would take all the places.
 */
#ifndef ZPROF_HISTORY_H
#define ZPROF_HISTORY_H

#include "preload/format.h"

#include <stdbool.h>
#include <stdint.h>

struct frames;
struct kind;
struct ending;

/*
 * A section of the latest frames. The order of sections is kept in private memory, because the
 * profile may be damaged.
 */
struct chunk {
	struct zprof_section *section;
	struct chunk *next; /* in a ring: the next in time; after the newest comes the oldest */
};

struct slow {
	struct zprof_section *section; /* NULL: not in use */
	uint64_t time; /* wall time, less the time in which others had the processor */
	bool shown;    /* the frame is in the record's list */
};

struct history {
	struct chunk *newest;
	struct slow slowest[ZPROF_SLOWEST + 1];
};

/*
 * Keeps the frame that has ended, as one of the latest if history= asks for them, and as one of the
 * slowest if it is. Its tallies must have been booked before.
 */
void history_keep(struct frames *f, struct kind *kind, const struct ending *e);

#endif
