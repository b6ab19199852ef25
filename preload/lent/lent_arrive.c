/* SPDX-License-Identifier: MIT */
/* lent_arrive.c - see lent_arrive.h. */
#include "preload/lent/lent_arrive.h"

#include "preload/process/process.h"
#include "preload/code/location.h"
#include "preload/recording/pause.h"
#include "preload/track/charge.h"
#include "preload/track/open.h"
#include "preload/calls/watch.h"
#include "preload/slow/arrive.h"

/*
 * The location is remembered in place[op], which the usual case (lent_events.c) needs. With call
 * sites or watched calls it is not remembered, so every event takes the slow way.
 */
uintptr_t lent_locate(struct track *k, const struct event *e, enum lent_operation op)
{
	struct lent_place *place = k->lent ? &k->lent->place[op] : NULL;
	struct location where;
	uintptr_t cfa;

	if (place && place->ret == e->ret)
		return location_cfa(place->rule, e->sp, e->bp);
	cfa = location_find(k->process, e, e->sp, &where);
	if (place && !(where.rule & LOCATION_INDIRECT) && !k->callsites && !k->watch) {
		place->rule = where.rule;
		place->ret = e->ret;
	}
	return cfa;
}

void lent_settle_frames(struct track *k, uintptr_t cfa)
{
	struct open_zone *f;

	for (f = k->top; f->cfa < cfa; f--)
		;
	open_abandon(k, f);
}

struct lent *lent_arrive(struct track *k, const struct event *e, enum lent_operation op,
			 uintptr_t *cfa_found)
{
	struct lent *l;
	uintptr_t cfa;

	if (!arrive(k, e) || !(l = lent_of(k)))
		return NULL;
	cfa = lent_locate(k, e, op);
	if (cfa_found)
		*cfa_found = cfa;
	charge_event(k, e);
	if (pause_in_force(k->process))
		lent_skip(l);
	else
		lent_count(l);
	lent_settle_frames(k, cfa);
	return l;
}

bool lent_push(struct track *k, uint64_t zone, uint32_t site, enum lent_way way, uint64_t serial,
	       bool *slow)
{
	struct zprof_node *parent = k->top->node, *child = NULL;
	bool first;

	if (!pause_in_force(k->process))
		child = lent_child(k, parent, zone, slow);
	if (!child) {
		lent_push_node(k, parent, way, serial);
		return false;
	}
	first = !twin_of(child)->exit_ret;
	if (first && k->watch)
		watch_meet(k, child);
	if (k->level == 0)
		track_remember(k, parent, node_reference(k->base, child));
	lent_push_node(k, child, way, serial);
	if (first && lent_extra(child))
		lent_extra(child)->site = site;
	return first;
}
