/* SPDX-License-Identifier: MIT */
/*
 * frame_pick.h - which frame a view is to be of, and a profile of that frame alone.
 *
 * The *median frame* is not one that happened: in it, each context has the median of its times, and
 * its usual number of calls (frames.h). So it is known for any kind, whatever was kept.
 */
#ifndef REPORT_FRAME_PICK_H
#define REPORT_FRAME_PICK_H

#include "report/frames/frames.h"

struct frame_pick {
	const char *kind; /* NULL: of the only kind */
	uint64_t number;  /* 0: not by number */
	uint64_t slowest; /* the K-th slowest; 0: not by slowness */
	bool median; /* the median frame; with number or slowest: of that one's kind and thread */
};

static inline bool frame_pick_is_set(const struct frame_pick *pick)
{
	return pick->number || pick->slowest || pick->median;
}

/*
 * The frame that is asked for by number or as a slow one; NULL with a message. KIND may be a name,
 * or NAME@TID where threads have frames of the same name.
 */
const struct profile_frame *frame_pick_find(const struct profile_frames *f, const struct profile *p,
					    struct zones_of_profile *zones,
					    const struct frame_pick *pick, struct str *err);

/*
 * P becomes the profile of that frame, and says so in its `frame`. F: its frames; the median one
 * may be added.
 */
bool frame_pick_apply(struct profile *p, struct profile_frames *f, const struct frame_pick *pick,
		      struct str *err);

/* The same, of the file that P was read from. */
bool frame_pick_restrict(struct profile *p, const struct frame_pick *pick, bool anyone,
			 struct str *err);

#endif
