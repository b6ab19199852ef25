/* SPDX-License-Identifier: MIT */
/*
 * caller.h - a zone is entered: which of the open ones has called it?
 *
 * Its stack frame is known, by its CFA. Zones whose frames lie below that have been left by a jump.
 * A frame above it is the caller's. A frame at the same place is, depending on what the code says,
 *
 *     another function's, into which this one is inlined        it is the caller
 *     this one's own, inlined into itself                       it is the caller
 *     an earlier call's, which a jump has left                  what is above it is the caller
 */
#ifndef ZPROF_CALLER_H
#define ZPROF_CALLER_H

#include "preload/code/location.h"
#include "preload/track/track.h"

/*
 * Of the frames, which is the real caller of a zone with this CFA that begins at `where`: the
 * others have been left by a jump.
 */
struct open_zone *caller_of(const struct track *track, uintptr_t cfa, uint64_t zone,
			    struct location *where);

#endif
