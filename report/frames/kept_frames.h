/* SPDX-License-Identifier: MIT */
/*
 * kept_frames.h - the frames that a profile has kept whole, the latest of its history and the
 * slowest, for a list of them (core/load/loader.h).
 */
#ifndef REPORT_KEPT_FRAMES_H
#define REPORT_KEPT_FRAMES_H

#include "report/core/load/loader.h"

/* Adds those of P, whose bytes are BYTES, that are known by contexts. ZONES: for names. */
void kept_frames_list(struct loader_pieces *to, const struct profile *p, const void *bytes,
		      size_t n, struct zones *zones);

/* P becomes the profile of that frame; false if it is not kept any more. */
bool kept_frames_restrict(struct profile *p, const struct loader_piece *piece, const void *bytes,
			  size_t n);

#endif
