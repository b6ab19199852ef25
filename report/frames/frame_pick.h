/* SPDX-License-Identifier: MIT */
/*
 * frame_pick.h - picks the frame that a view is to show, and makes a profile of that frame alone.
 *
 * The *median frame* never happened: in it, each context has the median of its times, and its usual
 * number of calls (frames.h). So every kind has one, whichever frames were kept.
 */
#ifndef REPORT_FRAME_PICK_H
#define REPORT_FRAME_PICK_H

#include "report/frames/frames.h"

struct frame_pick {
	const char *kind; /* NULL: the only kind */
	uint64_t number;  /* 0: not by number */
	uint64_t slowest; /* the K-th slowest; 0: not by slowness */
	bool median; /* the median frame; with number or slowest: of that frame's kind and thread */
};

static inline bool frame_pick_is_set(const struct frame_pick *pick)
{
	return pick->number || pick->slowest || pick->median;
}

/* The frame with pick->number, or the pick->slowest-th slowest; NULL with a message. pick->kind may
 * be a name, or NAME@TID where several threads have frames of that name. */
const struct profile_frame *frame_pick_find(const struct profile_frames *f, const struct profile *p,
					    struct zones_of_profile *zones,
					    const struct frame_pick *pick, struct str *err);

/* P becomes the profile of the picked frame, and names it in P's `frame`. F: P's frames; a median
 * frame may be added to them. */
bool frame_pick_apply(struct profile *p, struct profile_frames *f, const struct frame_pick *pick,
		      struct str *err);

/* Loads the frames of the file that P was read from, and applies PICK, a struct frame_pick, to P. */
bool frame_pick_restrict(struct profile *p, const void *pick, bool anyone, struct str *err);

#endif
