/* SPDX-License-Identifier: MIT */
/* awake.c - see awake.h. */
#include "preload/track/charge.h"
#include "preload/slow/awake.h"

#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/track/lent.h"
#include "preload/stacks/stack.h"
#include "preload/unwind/unwind.h"
#include "preload/slow/chosen.h"

/* So many frames of the real stack are walked at most. */
#define FRAMES_MAX 100000

/* A frame of the real stack. */
struct real {
	uintptr_t cfa;
	uint32_t host;   /* as in struct location */
	struct place at; /* the place that the frame returns to */
};

/*
 * The frame that the event comes from. If the exit hook was tail-called, that frame is gone
 * already: the hook's sp is its CFA, and the location is in the caller.
 */
static bool first_frame(const struct track *k, const struct event *e, struct real *r)
{
	struct location where;

	if (e->ret == e->call_site) {
		r->cfa = e->sp;
		r->host = e->zone == EVENT_ANY_ZONE ? LOCATION_ANY_HOST : (uint32_t)e->zone;
	} else {
		r->cfa = location_find(k->process, e, stack_end(k, e), &where);
		r->host = where.host;
	}
	return unwind_first(k, e, r->cfa, &r->at);
}

static bool next_frame(const struct track *k, struct real *r)
{
	struct location where;
	bool outermost;

	location_at(k->process, r->at.pc, &where);
	r->host = where.host;
	return unwind_next(k, &r->at, &r->cfa, &outermost);
}

/* Whether `f`, the outermost zone of a frame, is of the function that runs in the frame now. */
static bool same_function(const struct open_zone *f, const struct real *r)
{
	const struct twin *t = twin_of(f->node);

	return !(t->rule & (LOCATION_INLINED | LOCATION_LENT)) &&
	       (t->host == r->host || t->host == LOCATION_ANY_HOST || r->host == LOCATION_ANY_HOST);
}

/* The innermost zone of the next frame out: the first below `f` with another CFA. */
static struct open_zone *below_frame(struct open_zone *f)
{
	uintptr_t cfa = f->cfa;

	while (f->cfa == cfa)
		f--;
	return f;
}

/* From `f`, the outermost zone of a frame, up to the last before an inlined zone of that frame. */
static struct open_zone *not_inlined(const struct track *k, struct open_zone *f)
{
	uintptr_t cfa = f->cfa;

	while (f < k->top && f[1].cfa == cfa && !(twin_of(f[1].node)->rule & LOCATION_INLINED))
		f++;
	return f;
}

/*
 * The innermost zone such that it and all zones below are still in their real stack frames; the
 * zones above it are to be closed. The walk goes from the innermost frame outwards.
 */
static struct open_zone *still_open(struct track *k, const struct event *e)
{
	struct open_zone *f = k->top, *last = k->top;
	struct real r;
	int n;

	if (!first_frame(k, e, &r))
		return k->bottom;
	for (n = 0; n < FRAMES_MAX && f > k->bottom; n++) {
		while (f->cfa < r.cfa)
			last = f = f - 1;
		if (f->cfa == r.cfa) {
			struct open_zone *below = below_frame(f), *kept = below;

			if (same_function(below + 1, &r))
				kept = not_inlined(k, below + 1);
			if (kept < f)
				last = kept;
			f = below;
		}
		if (f == k->bottom)
			return last;
		if (!next_frame(k, &r))
			break;
	}
	return k->bottom;
}

static uint64_t zones_above(const struct track *k, const struct open_zone *to)
{
	const struct open_zone *f;
	uint64_t zones = 0;

	for (f = k->top; f > to; f--)
		zones += f->cfa != UINTPTR_MAX;
	return zones;
}

static void close_above(struct track *k, struct open_zone *to)
{
	losses_count(k->process, ZPROF_SWITCHED_OPEN, zones_above(k, to));
	lent_abandon(k, to);
	cpu_publish();
	k->top = to;
	*k->current = node_reference(k->base, to->node);
}

void awake_look(struct track *k, const struct event *e)
{
	uint32_t slept = __atomic_load_n(&k->process->sites->slept, __ATOMIC_ACQUIRE);
	struct open_zone *to;

	if ((k->slept == slept && !chosen_missed(k)) || pause_in_force(k->process))
		return;
	charge_overlook(k);
	if (e->sp - k->stack_low >= k->stack_bytes)
		return;
	k->slept = slept;
	k->awoken = true;
	if (k->top == k->bottom)
		return;
	to = k->barriers ? k->bottom : still_open(k, e);
	if (to < k->top)
		close_above(k, to);
	if (k->barriers) {
		k->stack_low = k->barrier[0].low;
		k->stack_bytes = k->barrier[0].bytes;
		k->barriers = 0;
	}
}
