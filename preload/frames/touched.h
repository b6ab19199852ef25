/* SPDX-License-Identifier: MIT */
/*
 * touched.h - which nodes have run since a frame of their thread ended.
 *
 * A frame's end must find these nodes without looking at the others, and a call must not pay for
 * it. So the end of a frame makes the next entry of each node that it has booked an unusual one, by
 * a bit in the location that the hot path compares anyway (TWIN_UNTOUCHED). That entry is left to
 * the instance of the hook that is tried second, which takes the bit away and adds the node to this
 * list:
 *
 *     frame n                                     frame n + 1
 *     enter f   bit is set: to the list           enter f   bit is set: to the list
 *     enter f   usual                             enter f   usual
 *     enter f   usual                             ...
 *     end: f booked, its bit set, list empty
 *
 * So a call costs nothing where there are no frames, and nothing from a node's second call in a
 * frame on. What ran without being entered was open when the frame began; calls/ends.h finds that.
 *
 * Rejected: comparing all nodes' counts with those noted at the end of the last frame (in
 * proportion to the tree: 78,000 contexts in sqlite, of which a query touches some hundred); a
 * number of the frame in each node, compared at each entry (a load and a compare in every call of
 * every program); instances of the hooks that do so (a program that calls zprof_frame() would pay
 * for it in every call, and there would be six more).
 */
#ifndef ZPROF_TOUCHED_H
#define ZPROF_TOUCHED_H

#include "preload/tree/tree.h"

struct touched {
	uint32_t *nodes; /* references, each once */
	uint32_t count, room;
};

/* False: nothing has been done, there is no room or the node is new; frames_touch() knows more. */
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
