/* SPDX-License-Identifier: MIT */
/*
 * open.h - takes open zones off the zone stack that never returned, or moves them to other nodes.
 *
 * As a compiled function's zone is taken off, so are the lent zones above it (lent.h).
 */
#ifndef ZPROF_OPEN_H
#define ZPROF_OPEN_H

#include "preload/track/track.h"

/* Takes off every frame above `to`, and counts the zones as never returned. */
void open_abandon(struct track *track, struct open_zone *to);

/*
 * Finds or makes the child of `parent` for the zone of `node`, which is of another tree. The open
 * zone goes on in that child: it counts as entered again, not as called. NULL: no room.
 */
struct zprof_node *open_continue(struct track *track, struct zprof_node *parent,
				 struct zprof_node *node);

#endif
