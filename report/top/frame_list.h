/* SPDX-License-Identifier: MIT */
/*
 * frame_list.h - the frames that a profile has kept, the slowest first. A frame is a piece of a
 * profile, as loaders list them (core/load/loader.h).
 */
#ifndef REPORT_FRAME_LIST_H
#define REPORT_FRAME_LIST_H

#include "report/core/load/loader.h"

/* Lists the frames of P, whose file has the N BYTES. ZONES gives the names of functions. */
void frame_list_make(struct loader_pieces *l, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones);
void frame_list_free(struct loader_pieces *l);

/* The frame of the same kind that is next by number: older (-1) or newer (1). NULL: there is
 * none. */
const struct loader_piece *frame_list_next(const struct loader_pieces *l,
					   const struct loader_piece *from, int direction);

#endif
