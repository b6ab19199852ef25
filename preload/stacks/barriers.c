/* SPDX-License-Identifier: MIT */
/* barriers.c - see barriers.h. */
#include "preload/track/open.h"
#include "preload/stacks/barriers.h"

void barriers_put(struct track *k, uintptr_t low, uintptr_t bytes)
{
	struct barrier *b = &k->barrier[k->barriers];

	if (k->barriers == TRACK_BARRIERS || (k->top + 1 >= k->limit && !track_more_frames(k)))
		return;
	b->depth = (size_t)(k->top - k->bottom);
	b->low = k->stack_low;
	b->bytes = k->stack_bytes;
	k->barriers++;
	k->top[1].cfa = UINTPTR_MAX;
	k->top[1].node = k->top->node;
	k->top++;
	k->stack_low = low;
	k->stack_bytes = bytes;
}

/*
 * Removes a barrier. Zones that are still open above it never returned: the signal stack was left.
 */
static void lift_barrier(struct track *k, uint32_t which)
{
	const struct barrier *b = &k->barrier[which];

	if (k->top > k->bottom + b->depth + 1)
		open_abandon(k, k->bottom + b->depth + 1);
	k->top = k->bottom + b->depth;
	*k->current = node_reference(k->base, k->top->node);
	k->stack_low = b->low;
	k->stack_bytes = b->bytes;
	k->barriers = which;
}

bool barriers_lift(struct track *k, uintptr_t sp)
{
	uint32_t i = k->barriers;

	while (i-- > 0)
		if (sp - k->barrier[i].low < k->barrier[i].bytes) {
			lift_barrier(k, i);
			return true;
		}
	return false;
}

void barriers_lift_all(struct track *k)
{
	if (k->barriers)
		lift_barrier(k, 0);
}

bool barriers_came_through(const struct track *k, uintptr_t sp, uintptr_t *low, uintptr_t *bytes)
{
	uint32_t i = k->barriers;

	*low = k->stack_low;
	*bytes = k->stack_bytes;
	while (sp - *low >= *bytes && i-- > 0) {
		*low = k->barrier[i].low;
		*bytes = k->barrier[i].bytes;
	}
	return sp - *low < *bytes;
}
