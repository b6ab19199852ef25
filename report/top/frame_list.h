/* SPDX-License-Identifier: MIT */
/* frame_list.h - the frames that a profile has kept: the latest of its history, and the slowest. */
#ifndef REPORT_FRAME_LIST_H
#define REPORT_FRAME_LIST_H

#include "report/frames/frames.h"

struct kept_frame {
	char *kind;
	uint64_t reference; /* its kind's, in the file */
	uint64_t number;
	uint32_t tid;
	double wall_ns;
	double ago_ns; /* from its beginning to the end of the latest frame of its kind */
};

struct frame_list {
	struct kept_frame *list; /* the slowest first */
	size_t count, room;
};

/* Those of P, whose bytes are BYTES, that are known by contexts. ZONES: for names of functions. */
void frame_list_make(struct frame_list *l, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones);
void frame_list_free(struct frame_list *l);

/* P becomes the profile of that frame; false if it is not kept any more. */
bool frame_list_restrict(const struct kept_frame *frame, struct profile *p, const void *bytes,
			 size_t n);

/*
 * The frame of the same kind that is next by number: older (-1) or newer (1). NULL: there is none.
 */
const struct kept_frame *frame_list_next(const struct frame_list *l, const struct kept_frame *from,
					 int direction);

#endif
