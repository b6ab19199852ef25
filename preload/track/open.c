/* SPDX-License-Identifier: MIT */
/* open.c - see open.h. */
#include "preload/track/open.h"

#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/sites/sites.h"
#include "preload/tree/tree.h"
#include "preload/track/lent.h"

/*
 * Whether hooks are off, or have been off since this thread last checked its open zones. (The
 * thread that switches hooks on adds one to `slept` before it does so.)
 */
static bool has_slept(const struct track *track)
{
	const struct sites *sites = track->process->sites;

	return track->awoken || __atomic_load_n(&sites->asleep, __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&sites->slept, __ATOMIC_RELAXED) != track->slept;
}

void open_abandon(struct track *track, struct open_zone *to)
{
	const struct open_zone *f;
	uint64_t zones = 0;

	for (f = track->top; f > to; f--)
		zones += f->cfa != UINTPTR_MAX; /* a barrier is no zone */
	if (to == track->top)
		return;
	losses_count(track->process, has_slept(track) ? ZPROF_SWITCHED_OPEN : ZPROF_REPAIR_JUMP,
		     zones);
	lent_abandon(track, to);
	track->top = to;
	*track->current = node_reference(track->base, to->node);
}

struct zprof_node *open_continue(struct track *track, struct zprof_node *parent,
				 struct zprof_node *node)
{
	bool slow = false;
	struct zprof_node *child =
	    tree_child(track->process, track->tree, parent, node->zone, &slow);
	const struct twin *from = twin_of(node);

	if (!child)
		return NULL;
	if (lent_is(node)) {
		lent_continue(track, child);
		return child;
	}
	twin_place(twin_of(child), twin_ret(from), from->rule, from->host);
	twin_of(child)->exit_ret = from->exit_ret & TWIN_UNSURE ? 0 : from->exit_ret;
	return child;
}
