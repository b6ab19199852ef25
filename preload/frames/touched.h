/* SPDX-License-Identifier: MIT */
/*
 * touched.h - which nodes have run since a frame of their thread ended.
 *
 * The end of a frame must find these nodes without looking at all others, and no call must pay for
 * that. So the end of a frame sets a bit in each node that it has booked (TWIN_UNTOUCHED), in the
 * location that the hot path compares anyway. The node's next entry then does not go the usual way.
 * The second instance of the hook, which the hook tries next, clears the bit and adds the node to
 * this list:
 *
 *     frame n                                     frame n + 1
 *     enter f   bit is set: to the list           enter f   bit is set: to the list
 *     enter f   usual                             enter f   usual
 *     enter f   usual                             ...
 *     end: f booked, its bit set, list empty
 *
 * So a call costs nothing where there are no frames, and nothing from a node's second call in a
 * frame on. A node that runs in a frame without being entered was open as the frame began;
 * calls/ends.h finds such nodes.
 *
 * Rejected: to compare all nodes' counts with those noted at the end of the last frame (takes time
 * in proportion to the tree: sqlite has 78,000 contexts, of which a query touches some hundred); a
 * number of the frame in each node, compared at each entry (a load and a compare in every call of
 * every program); instances of the hooks that compare such a number (a program that calls
 * zprof_frame() would pay for that in every call, and there would be six more instances).
 */
#ifndef ZPROF_TOUCHED_H
#define ZPROF_TOUCHED_H

#include "preload/tree/tree.h"

struct touched {
	uint32_t *nodes; /* references, each once */
	uint32_t count, room;
};

/*
 * Adds a node to the list. False: the list is full or the node has no tally, and frames_touch()
 * must be called.
 */
static inline bool touched_add(struct touched *touched, const char *base, struct zprof_node *node)
{
	struct twin *t = twin_of(node);

	if (!touched || !(t->tally & TWIN_REFERENCE) || touched->count == touched->room)
		return false;
	t->tally |= TWIN_TOUCHED;
	touched->nodes[touched->count++] = node_reference(base, node);
	return true;
}

#endif
