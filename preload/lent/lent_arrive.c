/* SPDX-License-Identifier: MIT */
/* lent_arrive.c - see lent_arrive.h. */
#include "preload/lent/lent_arrive.h"

#include "preload/process/process.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/recording/pause.h"
#include "preload/track/charge.h"
#include "preload/track/open.h"
#include "preload/calls/watch.h"
#include "preload/entries/entries.h"
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

/* ---- runners */

/* Of each module with an interpreter's adapter. What is found here is never removed. */
static struct runner {
	uintptr_t start, end; /* of the module */
	uintptr_t function;   /* 0: this place is free */
} runners[4];

void lent_set_runner(struct process *p, uintptr_t code, uintptr_t function)
{
	const struct module *m = module_find(p, code);
	uintptr_t none = 0;
	struct runner *r;

	for (r = runners; m && r < runners + sizeof(runners) / sizeof(*runners); r++) {
		if (__atomic_load_n(&r->function, __ATOMIC_ACQUIRE)) {
			if (r->start == m->start)
				return;
			continue;
		}
		r->start = m->start;
		r->end = m->end;
		if (__atomic_compare_exchange_n(&r->function, &none, function, false,
						__ATOMIC_RELEASE, __ATOMIC_RELAXED))
			return;
	}
}

/* The runner of lent zones that this code enters; 0: none. */
static uintptr_t runner_of(uintptr_t code)
{
	const struct runner *r;
	uintptr_t function;

	for (r = runners; r < runners + sizeof(runners) / sizeof(*runners); r++) {
		function = __atomic_load_n(&r->function, __ATOMIC_ACQUIRE);
		if (!function || code - r->start < r->end - r->start)
			return function;
	}
	return 0;
}

/*
 * The innermost open zone of `runner`, or lent zone. Zones above it, up to `f`, are of functions that
 * report the event.
 */
static struct open_zone *on_runner(const struct track *k, struct open_zone *f, uintptr_t runner)
{
	struct open_zone *g = f;
	uint32_t n = 0;

	while (g->cfa != UINTPTR_MAX && !lent_is(g->node) && !lent_placeholder(g) &&
	       !entries_runs_in(k, g, runner + 1))
		g--;
	if (g->cfa == UINTPTR_MAX)
		return f;
	for (; k->lent && f > g && n < LENT_PASSED; f--, n++) {
		k->lent->passed[n].cfa = f->cfa;
		k->lent->passed[n].zone = f->node->zone;
	}
	if (k->lent)
		k->lent->passed_count = n;
	return g;
}

struct open_zone *lent_innermost(struct track *k, const struct event *e, uintptr_t cfa)
{
	struct open_zone *f = k->top;
	uintptr_t runner;

	if (k->process->entries_alone) {
		f = entries_innermost(k, e);
		runner = runner_of(e->ret);
		return runner ? on_runner(k, f, runner) : f;
	}
	while (f->cfa < cfa)
		f--;
	return f;
}

void lent_settle_frames(struct track *k, const struct event *e, uintptr_t cfa)
{
	open_abandon(k, lent_innermost(k, e, cfa));
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
	lent_settle_frames(k, e, cfa);
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
