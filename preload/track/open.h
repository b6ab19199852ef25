/* SPDX-License-Identifier: MIT */
/*
 * open.h - zones that are open are left without returning, or go on in another node.
 *
 * What leaves compiled functions also leaves the zones lent above them (lent.h).
 */
#ifndef ZPROF_OPEN_H
#define ZPROF_OPEN_H

#include "preload/track/track.h"

/* Leaves every frame above `to`, as never returned. */
void open_abandon(struct track *track, struct open_zone *to);

/*
 * The child of `parent` that goes on with what `node`, of another tree, stood for: entered again,
 * not called. NULL: no room.
 */
struct zprof_node *open_continue(struct track *track, struct zprof_node *parent,
				 struct zprof_node *node);

#endif
