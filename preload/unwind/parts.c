/* SPDX-License-Identifier: MIT */
/* parts.c - see parts.h. */
#include "preload/unwind/parts.h"

#include "preload/unwind/unwind.h"

#define PARTS_MAX 4 /* parts in a row, each called by the one before */

/* Whether the frame `caller` called the frame `cfa`, directly or by way of a few parts. */
static bool is_below(const struct track *track, const struct event *e, uintptr_t cfa,
		     uintptr_t caller)
{
	struct location where;
	struct place at;
	uintptr_t passed;
	bool end;
	int i;

	if (unwind_is_caller(track, e, cfa, caller, &where))
		return true;
	if (track->stack_bytes == UINTPTR_MAX || !unwind_first(track, e, cfa, &at))
		return false;
	for (i = 0; i < PARTS_MAX && unwind_next(track, &at, &passed, &end); i++)
		if (at.interrupted || passed >= caller)
			return !at.interrupted && passed == caller;
	return false;
}

struct open_zone *parts_frame(const struct track *track, const struct event *e, uintptr_t cfa,
			      const struct location *where)
{
	struct open_zone *f = track->top;

	while (f->cfa <= cfa)
		f--;
	if (f->cfa == UINTPTR_MAX)
		return NULL;
	if (e->ret != e->call_site && !(where->rule & LOCATION_INLINED))
		return NULL;
	return is_below(track, e, cfa, f->cfa) ? f : NULL;
}

struct open_zone *parts_open(const struct track *track, const struct event *e, uintptr_t cfa,
			     const struct location *where)
{
	struct open_zone *f;
	uintptr_t caller;

	if (e->zone == EVENT_ANY_ZONE)
		return NULL;
	f = parts_frame(track, e, cfa, where);
	if (!f)
		return NULL;
	for (caller = f->cfa; f->cfa == caller; f--)
		if (f->node->zone == e->zone)
			return f;
	return NULL;
}
