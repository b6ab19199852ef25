/* SPDX-License-Identifier: MIT */
/*
 * kept_frames.h - the frames that a profile has kept whole (the latest and the slowest), as pieces
 * of the profile (core/load/loader.h).
 */
#ifndef REPORT_KEPT_FRAMES_H
#define REPORT_KEPT_FRAMES_H

#include "report/core/load/loader.h"

/* Adds the kept frames of P that list contexts. P's file has the N BYTES. ZONES gives names. */
void kept_frames_list(struct loader_pieces *to, const struct profile *p, const void *bytes,
		      size_t n, struct zones *zones);

/* P becomes the profile of one frame, PIECE; false if P does not keep that frame any more. */
bool kept_frames_restrict(struct profile *p, const struct loader_piece *piece, const void *bytes,
			  size_t n);

#endif
