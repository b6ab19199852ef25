/* SPDX-License-Identifier: MIT */
/*
 * caller.h - which of the open zones has called a zone that is entered.
 *
 * The stack frame of the new zone is known by its CFA. Open zones with lower CFAs have been left by
 * a jump. A zone with a higher CFA is the caller. A zone with an equal CFA is one of three things,
 * which the code at the location decides:
 *
 *     a function that the new zone's function is inlined into      it is the caller
 *     the same function, inlined into itself                       it is the caller
 *     an earlier call, which a jump has left                       the next higher one is the
 *     caller
 */
#ifndef ZPROF_CALLER_H
#define ZPROF_CALLER_H

#include "preload/code/location.h"
#include "preload/track/track.h"

/*
 * The open zone that really called `zone`, which has this CFA and begins at `where`. Open zones
 * above the caller have been left by a jump. May change the rule and the host in *where.
 */
struct open_zone *caller_of(const struct track *track, uintptr_t cfa, uint64_t zone,
			    struct location *where);

#endif
