/* SPDX-License-Identifier: MIT */
/* rows.c - see rows.h. */
#define _GNU_SOURCE
#include "report/top/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/callgraph/group_times.h"

struct making {
	struct top *t;
	struct view *v;
	const struct derived *d;
	double calls_by; /* calls of the tree are divided by it (CONTEXTS_CALLS) */
};

static struct top_row *add(struct making *m, enum top_kind kind, uint32_t item, uint64_t key,
			   const char *name)
{
	struct top *t = m->t;
	t->rows = memory_room(t->rows, t->row_count, &t->row_room, sizeof *t->rows);
	struct top_row *r = &t->rows[t->row_count++];
	*r = (struct top_row){.kind = kind,
			      .item = item,
			      .key = key,
			      .mark = ' ',
			      .shows_total = true,
			      .shows_self = true,
			      .name = memory_text(name, strlen(name))};
	return r;
}

/* The key of a zone. The number of one level of a recursion may change from one reading to the
 * next, so the key of a level is made from its name. */
static uint64_t zone_key(const struct making *m, uint32_t zone)
{
	const struct zone *z = &m->v->load.zones.list[zone];
	return z->spread_of ? lookup_hash_text(z->name, z->spread_of) : lookup_hash(zone, 1);
}

static void set_numbers(const struct making *m, struct top_row *r, uint64_t calls,
			const struct cost *self, const struct cost *total)
{
	struct cost own = view_shown(m->v, self), all = view_shown(m->v, total);
	r->calls = (double)calls / m->calls_by;
	r->self_ns = own.ns;
	r->self_bar = cost_self_bar(&own);
	r->wait_ns = self->wait_ns;
	r->total_ns = all.ns;
	r->total_bar = cost_total_bar(&all);
	if (m->t->counter >= 0)
		r->counter = (double)self->counter[m->t->counter];
}

static double trend_of(const struct top *t, const struct zones *zones, uint32_t zone)
{
	zone = zones_unspread(zones, zone);
	if (zone >= t->trend_zones || !top_is_rate(t))
		return 0;
	double now = t->now_calls[zone], then = t->long_calls[zone], most = now > then ? now : then;
	return most > 0 ? (now - then) / most : 0;
}

static struct top_row *add_zone(struct making *m, enum top_kind kind, uint32_t zone)
{
	const struct function *f = &m->d->functions[zone];
	struct top_row *r = add(m, kind, zone, zone_key(m, zone), view_zone_name(m->v, zone));
	r->open = f->open;
	r->low = f->low;
	r->trend = trend_of(m->t, &m->v->load.zones, zone);
	return r;
}

/* ---- order */

static int compare_numbers(double a, double b)
{
	return (a < b) - (a > b);
}

static double each(const struct top_row *r)
{
	return r->calls > 0 ? cost_weight(r->self_ns / r->calls, r->self_bar / r->calls) : 0;
}

static int compare(const void *left, const void *right, void *context)
{
	const struct top_row *a = left, *b = right;
	const struct top *t = context;
	int order = 0;
	switch (t->sort) {
	case TOP_CALLS:
		order = compare_numbers(a->calls, b->calls);
		break;
	case TOP_SELF_SHARE:
	case TOP_SELF_TIME:
		order = compare_numbers(cost_weight(a->self_ns, a->self_bar),
					cost_weight(b->self_ns, b->self_bar));
		break;
	case TOP_WAITED:
		order = compare_numbers(a->wait_ns, b->wait_ns);
		break;
	case TOP_EACH:
		order = compare_numbers(each(a), each(b));
		break;
	case TOP_BAR:
		order = compare_numbers(a->self_bar, b->self_bar);
		break;
	case TOP_COUNTER:
		order = compare_numbers(a->counter, b->counter);
		break;
	case TOP_TREND:
		order = compare_numbers(fabs(a->trend), fabs(b->trend));
		break;
	case TOP_NAME:
		order = strverscmp(a->name, b->name);
		break;
	default:
		order = compare_numbers(cost_weight(a->total_ns, a->total_bar),
					cost_weight(b->total_ns, b->total_bar));
	}
	if (!order)
		order = compare_numbers(a->total_ns, b->total_ns);
	if (!order)
		order = compare_numbers(a->calls, b->calls);
	if (!order)
		order = strverscmp(a->name, b->name);
	if (!order)
		order = (a->key > b->key) - (a->key < b->key);
	return t->reversed ? -order : order;
}

static void sort_from(struct top *t, size_t first)
{
	if (t->row_count > first)
		qsort_r(t->rows + first, t->row_count - first, sizeof *t->rows, compare, t);
}

/* ---- functions, and the call graph of one */

static void add_functions(struct making *m)
{
	const struct filters *f = &m->v->options->filters;
	bool *shown = filters_select(f, m->d, &m->v->load.zones, &m->v->groups, m->v->measure);
	for (uint32_t i = 1; i < m->d->function_count; i++) {
		const struct function *one = &m->d->functions[i];
		if (shown[i])
			set_numbers(m, add_zone(m, TOP_FUNCTION, i), one->calls, &one->self,
				    &one->total);
		else
			m->t->more += derive_used(one);
	}
	free(shown);
	sort_from(m->t, 0);
	for (; f->limit && m->t->row_count > f->limit; m->t->more++)
		free(m->t->rows[--m->t->row_count].name);
}

static bool calls_others(const struct making *m, uint32_t zone)
{
	for (size_t i = 0; i < m->d->arc_count; i++) {
		const struct arc *a = &m->d->arcs[i];
		if (a->caller == zone && a->callee != zone && a->calls)
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
					  : add(m, TOP_CALLER, 0, 1, "<spontaneous>");
		r->depth = 2;
		r->key = lookup_hash(r->key, callers ? 2 : 3);
		if (other && (callers || calls_others(m, other)))
			r->mark = '+';
		if (callers)
			set_numbers(m, r, a->calls, &a->parent_self, &a->parent_total);
		else
			set_numbers(m, r, a->calls, &a->child_self, &a->child_total);
	}
	sort_from(m->t, first);
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
	set_numbers(m, r, f->calls, &f->self, &f->total);
	add_arcs(m, zone, false);
}

/* ---- contexts */

struct contexts_walk {
	struct making *m;
	const struct tree *tree;
	struct tree_children children;
	struct cost *totals;
};

static void add_context(struct contexts_walk *w, uint32_t node, uint64_t key, uint32_t depth)
{
	struct making *m = w->m;
	const struct node *n = &w->tree->nodes[node];
	const struct tree_thread *thread = &w->tree->threads[n->thread];
	bool root = n->parent == node;
	struct str name = {0};
	if (root)
		str_add(&name, "thread %s %u", thread->name, thread->tid);
	else
		str_add(&name, "%s", n->zone ? view_zone_name(m->v, n->zone) : VIEW_OVERFLOW);
	struct top_row *r = add(m, TOP_CONTEXT, n->zone, key, name.text);
	str_free(&name);
	r->depth = depth;
	r->open = n->open;
	r->low = n->low;
	r->node = node;
	if (w->children.first[node] != TREE_NONE)
		r->mark = top_is_opened(m->t, key, root) ? '-' : '+';
	if (n->zone)
		r->trend = trend_of(m->t, &m->v->load.zones, n->zone);
	set_numbers(m, r, n->calls, &n->self, &w->totals[node]);
}

/* Sorts the contexts from row FIRST on, and adds below each open one those that it called.
 * Recursion is only as deep as the user has opened contexts. */
static void add_opened(struct contexts_walk *w, size_t first);

static void add_children(struct contexts_walk *w, const struct top_row *of)
{
	struct top *t = w->m->t;
	size_t first = t->row_count;
	uint32_t depth = of->depth + 1;
	uint64_t key = of->key;
	for (uint32_t at = w->children.first[of->node]; at != TREE_NONE;
	     at = w->children.next[at]) {
		const struct node *n = &w->tree->nodes[at];
		if (n->calls || w->totals[at].ticks || n->open)
			add_context(w, at, lookup_hash(key, zone_key(w->m, n->zone)), depth);
	}
	add_opened(w, first);
}

static void add_opened(struct contexts_walk *w, size_t first)
{
	struct top *t = w->m->t;
	size_t count = t->row_count - first;
	struct top_row *rows = memory_resize(NULL, count, sizeof *rows);
	sort_from(t, first);
	if (count)
		memcpy(rows, t->rows + first, count * sizeof *rows);
	t->row_count = first;
	for (size_t i = 0; i < count; i++) {
		t->rows = memory_room(t->rows, t->row_count, &t->row_room, sizeof *t->rows);
		t->rows[t->row_count++] = rows[i];
		if (rows[i].mark == '-')
			add_children(w, &rows[i]);
	}
	free(rows);
}

static void add_contexts(struct making *m)
{
	struct contexts_walk w = {.m = m, .tree = m->v->tree};
	w.children = tree_children(w.tree);
	w.totals = tree_totals(w.tree);
	for (size_t i = 0; i < w.tree->thread_count; i++) {
		const struct tree_thread *thread = &w.tree->threads[i];
		add_context(&w, thread->root, lookup_hash(thread->id, thread->pid), 0);
	}
	add_opened(&w, 0);
	tree_children_free(&w.children);
	free(w.totals);
}

/* ---- groups and threads */

static void add_groups(struct making *m)
{
	struct group_times g;
	struct str err = {0};
	groups_map_free(&m->v->group_map);
	if (!groups_map(&m->v->group_map, &m->v->groups, m->v->options->metric, &m->v->load.zones,
			&err)) {
		top_say(m->t, "%s", err.text);
		str_free(&err);
		return;
	}
	group_times_make(&g, m->v);
	for (size_t i = 0; i < g.count; i++) {
		const struct group_row *from = &g.rows[i];
		struct top_row *r =
		    add(m, TOP_GROUP, (uint32_t)i, lookup_hash(i, 4), group_times_name(m->v, i));
		set_numbers(m, r, from->calls, &from->self, &from->self);
		r->shows_total = false;
	}
	group_times_free(&g);
	sort_from(m->t, 0);
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
		struct top_row *r = add(m, TOP_THREAD, of->tid, lookup_hash(of->id, 5), name.text);
		set_numbers(m, r, sums[i].calls, &sums[i].self, &sums[i].self);
		r->shows_total = false;
		str_free(&name);
	}
	free(sums);
	sort_from(m->t, 0);
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
		struct top_row *r =
		    add(m, TOP_FRAME, (uint32_t)i, lookup_hash(k->reference, k->number), name.text);
		r->total_ns = k->wall_ns;
		m->t->whole.ns = fmax(m->t->whole.ns, k->wall_ns);
		r->shows_self = false;
		str_free(&name);
	}
	sort_from(m->t, 0);
}

/* ---- all of it */

/* The first of the interpreter's counters that is not zero; -1: there is none. */
static int find_counter(const struct making *m)
{
	for (size_t i = 0; i < m->v->load.column_count; i++)
		if (m->d->whole.counter[i])
			return (int)i;
	return -1;
}

static void add_rows(struct making *m)
{
	switch (m->t->view) {
	case TOP_GRAPH:
		add_graph(m);
		break;
	case TOP_TREE:
		add_contexts(m);
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

void rows_make(struct top *t)
{
	struct view *v = &t->follow->view;
	struct options with = *v->options, *options = v->options;
	struct derived d;
	size_t zones = v->load.zones.count;
	enum time_measure chosen = v->measure;
	rows_free(t);
	if (t->measure == MEASURE_FRAME)
		v->measure = TIME_OWN; /* a slow frame may have waited */
	contexts_show(&t->follow->contexts, t->measure);
	with.filters = filters_of(t);
	v->options = &with;
	v->tree = &t->follow->contexts.tree;
	groups_add_lent(&v->groups, &v->load.zones);
	if (!filters_keep_tree(&with.filters)) {
		filters_tree(&v->filtered, v->tree, &with.filters, &v->load.zones, &v->groups);
		v->tree = &v->filtered;
	}
	derive(&d, v->tree, v->load.zones.count);
	struct making m = {t, v, &d, top_is_rate(t) ? CONTEXTS_CALLS : 1};
	t->whole = view_shown(v, &d.whole);
	t->whole_calls = (double)d.calls / m.calls_by;
	t->counter = find_counter(&m);
	add_rows(&m);
	derive_free(&d);
	tree_free(&v->filtered);
	v->measure = chosen;
	zones_forget_levels(&v->load.zones, zones);
	v->options = options;
}
