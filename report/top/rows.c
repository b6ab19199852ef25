/* SPDX-License-Identifier: MIT */
/* rows.c - see rows.h. */
#define _GNU_SOURCE
#include "report/top/rows.h"
#include "report/top/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/callgraph/group_times.h"
#include "report/top/rows_making.h"

static struct top_row *add_zone(struct making *m, enum top_kind kind, uint32_t zone)
{
	const struct function *f = &m->d->functions[zone];
	struct top_row *r =
	    rows_add(m, kind, zone, rows_zone_key(m, zone), view_zone_name(m->v, zone));
	r->open = f->open;
	r->low = f->low;
	r->trend = rows_trend(m->t, &m->v->load.zones, zone);
	return r;
}

/* ---- functions, and the call graph of one */

static void add_functions(struct making *m)
{
	bool *shown = rows_select(m);
	for (uint32_t i = 1; i < m->d->function_count; i++) {
		const struct function *one = &m->d->functions[i];
		if (shown[i])
			rows_set(m, add_zone(m, TOP_FUNCTION, i), one->calls, &one->self,
				 &one->total);
		else
			m->t->more += derive_used(one);
	}
	free(shown);
	rows_sort(m->t, 0);
	rows_limit(m->t);
}

static bool calls_others(const struct making *m, uint32_t zone)
{
	for (size_t i = 0; i < m->d->arc_count; i++) {
		const struct arc *a = &m->d->arcs[i];
		if (a->caller == zone && a->callee != zone &&
		    (a->calls || (m->t->follow->view.sampled && a->parent_total.ticks)))
			return true;
	}
	return false;
}

static void add_arcs(struct making *m, uint32_t zone, bool callers)
{
	size_t first = m->t->row_count;
	for (size_t i = 0; i < m->d->arc_count; i++) {
		const struct arc *a = &m->d->arcs[i];
		uint32_t other = callers ? a->caller : a->callee;
		if ((callers ? a->callee : a->caller) != zone || a->caller == a->callee ||
		    !(a->calls || a->parent_total.ticks || a->child_total.ticks))
			continue;
		struct top_row *r = other ? add_zone(m, callers ? TOP_CALLER : TOP_CALLEE, other)
					  : rows_add(m, TOP_CALLER, 0, 1, "<spontaneous>");
		r->depth = 2;
		r->key = lookup_hash(r->key, callers ? 2 : 3);
		if (other && (callers || calls_others(m, other)))
			r->mark = '+';
		if (callers)
			rows_set(m, r, a->calls, &a->parent_self, &a->parent_total);
		else
			rows_set(m, r, a->calls, &a->child_self, &a->child_total);
	}
	rows_sort(m->t, first);
}

/* Reverses the callers: as in gprof, the largest stands next to the function's own line. */
static void turn_round(struct top *t)
{
	for (size_t i = 0; i < t->row_count / 2; i++) {
		struct top_row r = t->rows[i];
		t->rows[i] = t->rows[t->row_count - 1 - i];
		t->rows[t->row_count - 1 - i] = r;
	}
}

static void add_graph(struct making *m)
{
	uint32_t zone = m->t->zone;
	if (!zone || zone >= m->d->function_count)
		return;
	const struct function *f = &m->d->functions[zone];
	add_arcs(m, zone, true);
	turn_round(m->t);
	struct top_row *r = add_zone(m, TOP_OWN, zone);
	r->mark = '-';
	r->depth = 1;
	rows_set(m, r, f->calls, &f->self, &f->total);
	add_arcs(m, zone, false);
}

/* ---- groups and threads */

static void add_groups(struct making *m)
{
	struct group_times g;
	struct str err = {0};
	groups_map_free(&m->v->group_map);
	if (!groups_map(&m->v->group_map, &m->v->groups, m->v->options->metric, &m->v->load.zones,
			&err)) {
		message_say(m->t, "%s", err.text);
		str_free(&err);
		return;
	}
	group_times_make(&g, m->v);
	for (size_t i = 0; i < g.count; i++) {
		const struct group_row *from = &g.rows[i];
		struct top_row *r = rows_add(m, TOP_GROUP, (uint32_t)i, lookup_hash(i, 4),
					     group_times_name(m->v, i));
		rows_set(m, r, from->calls, &from->self, &from->self);
		r->shows_total = false;
	}
	group_times_free(&g);
	rows_sort(m->t, 0);
}

static void add_threads(struct making *m)
{
	const struct tree *t = m->v->tree;
	struct context_sum {
		uint64_t calls;
		struct cost self;
	} *sums = memory_zeroed(t->thread_count, sizeof *sums);
	for (size_t i = 0; i < t->count; i++) {
		if (!t->nodes[i].zone)
			continue;
		sums[t->nodes[i].thread].calls += t->nodes[i].calls;
		cost_add(&sums[t->nodes[i].thread].self, &t->nodes[i].self);
	}
	for (size_t i = 0; i < t->thread_count; i++) {
		const struct tree_thread *of = &t->threads[i];
		struct str name = {0};
		str_add(&name, "%s %u", of->name, of->tid);
		if (of->count > 1)
			str_add(&name, " and %s before it",
				units_count((char[UNITS_TEXT]){0}, of->count - 1));
		struct top_row *r =
		    rows_add(m, TOP_THREAD, of->tid, lookup_hash(of->id, 5), name.text);
		rows_set(m, r, sums[i].calls, &sums[i].self, &sums[i].self);
		r->shows_total = false;
		str_free(&name);
	}
	free(sums);
	rows_sort(m->t, 0);
}

/* Adds a row for each kept frame; its share is relative to the longest frame. */
static void add_frames(struct making *m)
{
	const struct loader_pieces *l = &m->t->follow->frames;
	char text[UNITS_TEXT], ago[UNITS_TEXT];
	m->t->whole.ns = 0;
	for (size_t i = 0; i < l->count; i++) {
		const struct loader_piece *k = &l->list[i];
		struct str name = {0};
		str_add(&name, "%s, frame %s, %s ago", k->kind, units_count(text, k->number),
			view_time(m->v, ago, k->ago_ns));
		struct top_row *r = rows_add(m, TOP_FRAME, (uint32_t)i,
					     lookup_hash(k->reference, k->number), name.text);
		r->total_ns = k->wall_ns;
		m->t->whole.ns = fmax(m->t->whole.ns, k->wall_ns);
		r->shows_self = r->shows_calls = false;
		str_free(&name);
	}
	rows_sort(m->t, 0);
}

/* ---- all of it */

/* A counter that is zero has no column. */
static void name_counters(const struct making *m)
{
	for (size_t i = 0; i < COST_COUNTERS; i++) {
		*m->t->counter_heads[i] = 0;
		if (m->d->whole.counter[i])
			counter_columns_head(m->t->counter_heads[i], m->v->load.columns[i]);
	}
}

static void add_rows(struct making *m)
{
	switch (m->t->view) {
	case TOP_GRAPH:
		add_graph(m);
		break;
	case TOP_TREE:
		rows_contexts(m);
		break;
	case TOP_CALLERS:
		rows_callers(m);
		break;
	case TOP_SOURCE:
		rows_source(m);
		break;
	case TOP_GROUPS:
		add_groups(m);
		break;
	case TOP_THREADS:
		add_threads(m);
		break;
	case TOP_FRAMES:
		add_frames(m);
		break;
	default:
		add_functions(m);
	}
}

void rows_free(struct top *t)
{
	for (size_t i = 0; i < t->row_count; i++)
		free(t->rows[i].name);
	t->row_count = 0;
	t->more = 0;
}

/* The filters in force: a filter chosen in the view replaces the option of its kind. */
static struct filters filters_of(const struct top *t)
{
	struct filters f = t->follow->view.options->filters;
	f.thread = t->threads.count ? t->threads : f.thread;
	f.func = t->functions.count ? t->functions : f.func;
	f.group = t->groups.count ? t->groups : f.group;
	f.spread |= t->spread;
	return f;
}

/* Makes what the rows are made from, unless it is kept (kept.h). */
static void keep(struct top *t)
{
	struct follow *f = t->follow;
	if (!t->kept.made)
		kept_make(&t->kept, &f->view, follow_tree(f, t->measure),
			  &f->view.options->filters);
}

void rows_make(struct top *t)
{
	struct view *v = &t->follow->view;
	struct options with = *v->options, *options = v->options;
	enum time_measure chosen = v->measure;
	rows_free(t);
	if (t->measure == MEASURE_FRAME)
		v->measure = TIME_OWN; /* a slow frame may have waited */
	with.filters = filters_of(t);
	v->options = &with;
	keep(t);
	struct making m = {t, v, &t->kept.derived, top_is_rate(t) ? CONTEXTS_COUNTS : 1};
	t->whole = view_shown(v, &m.d->whole);
	t->whole_calls = (double)m.d->calls / m.counts_by;
	name_counters(&m);
	add_rows(&m);
	if (!t->follow->finished)
		kept_forget(&t->kept);
	v->measure = chosen;
	v->options = options;
}
