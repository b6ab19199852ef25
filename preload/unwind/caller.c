/* SPDX-License-Identifier: MIT */
/* caller.c - see caller.h. */
#include "preload/unwind/caller.h"

#include "preload/process/process.h"
#include "preload/stacks/stacks.h"
#include "preload/track/track.h"

/* Whether the code at `where` can run in the frame of an open zone. */
static bool goes_on(const struct track *track, const struct open_zone *f,
		    const struct location *where)
{
	const struct twin *t = twin_of(f->node);

	return location_goes_on(track->process, &(struct location){twin_ret(t), t->rule, t->host},
				where);
}

/* The innermost zone of f's stack frame that was entered from the location `ret`, or NULL. */
static struct open_zone *entered_at(struct open_zone *f, uintptr_t ret)
{
	uintptr_t cfa = f->cfa;

	for (; f->cfa == cfa; f--)
		if (twin_ret(twin_of(f->node)) == ret)
			return f;
	return NULL;
}

/*
 * Whether the function is inlined into itself at `where`. Called for a stack frame that has no zone
 * entered from `where`. If the frame's outermost zone is the same function's, then the location is
 * in an inlined copy: a new call would enter from the same location as the outermost zone. (A
 * folded node does not know the locations of its outer zones, so the answer is false.)
 */
static bool into_itself(const struct track *track, const struct open_zone *f, uint64_t zone,
			const struct location *where)
{
	uintptr_t cfa = f->cfa;

	if (where->rule & LOCATION_INDIRECT || !goes_on(track, f, where))
		return false;
	for (; f[-1].cfa == cfa; f--)
		if (ZPROF_NODE_FLAGS(f->node) & ZPROF_NODE_FOLDED)
			return false;
	return f->node->zone == zone && !(ZPROF_NODE_FLAGS(f->node) & ZPROF_NODE_FOLDED);
}

struct open_zone *caller_of(const struct track *track, uintptr_t cfa, uint64_t zone,
			    struct location *where)
{
	struct open_zone *f = track->top, *same;

	while (f->cfa < cfa)
		f--;
	if (f->cfa != cfa)
		return f;
	same = entered_at(f, where->ret);
	if (!same && !(where->rule & LOCATION_INLINED) && into_itself(track, f, zone, where))
		location_is_inlined(track->process, where);
	if (!(where->rule & LOCATION_INLINED) || !goes_on(track, f, where)) {
		while (f->cfa == cfa)
			f--;
		return f;
	}
	/*
	 * On a stack of several threads at once, the zone may have ended unseen, and the zones above
	 * it were entered since: then no jump has left them.
	 */
	if (same && same != f && track->stack && track->stack->shared)
		same = NULL;
	/* The hot path expects that all zones of a frame have the host that the frame began in. */
	if (twin_of(f->node)->host != LOCATION_ANY_HOST)
		where->host = twin_of(f->node)->host;
	return same ? same - 1 : f;
}
