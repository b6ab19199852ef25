/* SPDX-License-Identifier: MIT */
/*
 * tree_view.c - see tree_view.h. In the array of nodes, parents stand before children, but the
 * children of one caller are neither together nor sorted. So children are sorted first. Then the
 * tree is walked without recursion; the path is the only state.
 */
#define _GNU_SOURCE
#include "report/callgraph/callgraph_options.h"
#include "report/callgraph/tree_rows.h"
#include "report/callgraph/tree_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/core/base/memory.h"

struct tree_view {
	struct view *v;
	const struct derived *d;
	const struct listing *l;
	const struct tree *t;
	struct cost *totals;
	uint64_t *calls; /* of each node and all below it */
	uint32_t *depth; /* 1: outermost */
	bool *shown;
	bool *low; /* by node: its total may be more than is known */
	/* Children of n: children[start[n]] up to children[start[n + 1]]. */
	uint32_t *start, *children;
};

static double weight(const struct tree_view *w, uint32_t i)
{
	struct cost total = view_shown(w->v, &w->totals[i]);
	return cost_total_weight(&total);
}

static int child_order(const void *left, const void *right, void *context)
{
	const struct tree_view *w = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct filters *f = &w->v->options->filters;
	double x = weight(w, a), y = weight(w, b);
	if (f->sort == FILTER_SORT_COUNTER) {
		x = (double)w->totals[a].counter[f->sort_counter];
		y = (double)w->totals[b].counter[f->sort_counter];
	} else if (f->sort == FILTER_SORT_WAITED) {
		x = w->totals[a].wait_ns;
		y = w->totals[b].wait_ns;
	} else if (f->sort == FILTER_SORT_DEFAULT && w->l->lead >= 0) {
		x = (double)w->totals[a].counter[w->l->lead];
		y = (double)w->totals[b].counter[w->l->lead];
	} else if (f->sort == FILTER_SORT_CALLS || w->v->counts_only) {
		x = (double)w->calls[a];
		y = (double)w->calls[b];
	}
	int order = (x < y) - (x > y);
	return order ? order : (a > b) - (a < b);
}

static void sort_children(struct tree_view *w)
{
	const struct tree *t = w->t;
	w->start = memory_zeroed(t->count + 2, sizeof *w->start);
	w->children = memory_resize(NULL, t->count, sizeof *w->children);
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].parent != i)
			w->start[t->nodes[i].parent + 2]++;
	for (size_t i = 2; i < t->count + 2; i++)
		w->start[i] += w->start[i - 1];
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].parent != i)
			w->children[w->start[t->nodes[i].parent + 1]++] = (uint32_t)i;
	for (size_t i = 0; i < t->count; i++)
		if (w->start[i + 1] > w->start[i] + 1)
			qsort_r(w->children + w->start[i], w->start[i + 1] - w->start[i],
				sizeof *w->children, child_order, w);
}

/*
 * Chooses the contexts that are shown: large enough, not too deep, and selected or on the way to a
 * selected one. Without --min every context is large enough, also one with a time below zero. (Such
 * a context's hooks are estimated to cost more than was measured.)
 */
static void choose(struct tree_view *w)
{
	const struct filters *f = &w->v->options->filters;
	const struct tree *t = w->t;
	double least = view_shown(w->v, &w->d->whole).ns * f->min_percent / 100;
	double least_calls = (double)w->d->calls * f->min_percent / 100;
	for (size_t i = t->count; i-- > 0;) {
		const struct node *n = &t->nodes[i];
		if (n->parent == i)
			continue;
		bool large =
		    f->min_percent <= 0 || (w->v->counts_only ? (double)w->calls[i] >= least_calls
							      : weight(w, i) >= least);
		bool used = n->calls || w->totals[i].ticks || w->calls[i] || n->open;
		w->shown[i] = used && large && (!f->depth || w->depth[i] <= f->depth) &&
			      (w->shown[i] || w->l->is_shown[n->zone]);
		if (w->shown[i] && t->nodes[n->parent].parent != n->parent)
			w->shown[n->parent] = true;
	}
}

static void open_view(struct tree_view *w)
{
	const struct tree *t = w->t;
	w->totals = tree_totals(t);
	w->calls = memory_zeroed(t->count, sizeof *w->calls);
	w->depth = memory_zeroed(t->count, sizeof *w->depth);
	w->shown = memory_zeroed(t->count, sizeof *w->shown);
	w->low = memory_zeroed(t->count, sizeof *w->low);
	for (size_t i = t->count; i-- > 0;) {
		w->calls[i] += t->nodes[i].calls;
		w->low[i] |= t->nodes[i].low;
		w->low[t->nodes[i].parent] |= w->low[i];
		if (t->nodes[i].parent != i)
			w->calls[t->nodes[i].parent] += w->calls[i];
	}
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i].parent != i)
			w->depth[i] = w->depth[t->nodes[i].parent] + 1;
	choose(w);
	sort_children(w);
}

static void close_view(struct tree_view *w)
{
	free(w->totals);
	free(w->calls);
	free(w->depth);
	free(w->shown);
	free(w->low);
	free(w->start);
	free(w->children);
}

/* Calls EACH for the shown nodes of all threads, callers before callees, the largest first. */
static void walk(struct tree_view *w, void (*each)(struct tree_view *, uint32_t, void *),
		 void *context)
{
	const struct tree *t = w->t;
	size_t limit = w->v->options->filters.limit, rows = 0;
	uint32_t *next = memory_resize(NULL, t->count, sizeof *next);
	for (size_t i = 0; i < t->count; i++)
		next[i] = w->start[i];
	for (size_t thread = 0; thread < t->thread_count; thread++) {
		uint32_t at = t->threads[thread].root;
		for (;;) {
			if (next[at] == w->start[at + 1]) {
				if (t->nodes[at].parent == at)
					break;
				at = t->nodes[at].parent;
				continue;
			}
			uint32_t child = w->children[next[at]++];
			if (!w->shown[child])
				continue;
			if (limit && rows++ >= limit)
				break;
			each(w, child, context);
			at = child;
		}
	}
	free(next);
}

static struct tree_row row_of(const struct tree_view *w, uint32_t i, const char *name)
{
	const struct node *n = &w->t->nodes[i];
	return (struct tree_row){.depth = w->depth[i],
				 .name = name,
				 .self = &n->self,
				 .total = &w->totals[i],
				 .calls = n->calls,
				 .all_calls = w->calls[i],
				 .low = w->low[i],
				 .uncounted = view_is_sampled(w->v, n->zone)};
}

static void add_row(struct tree_view *w, uint32_t i, void *rows)
{
	const struct node *n = &w->t->nodes[i];
	struct view *v = w->v;
	struct str name = {0};
	str_add(&name, "%s%s", n->zone ? view_zone_name(v, n->zone) : VIEW_OVERFLOW,
		n->zone ? view_state(v, n->zone, n->open) : "");
	if (!callgraph_asked(v)->no_via)
		via_append(&name, &v->load.vias, &v->load.zones, w->t->nodes[n->parent].zone,
			   n->zone, v->options->full_names);
	struct tree_row row = row_of(w, i, name.text);
	tree_rows_add(rows, &row);
	str_free(&name);
}

void tree_view_print(struct view *v, const struct derived *d, const struct listing *l)
{
	struct tree_view w = {.v = v, .d = d, .l = l, .t = v->tree};
	struct tree_rows rows;
	tree_rows_begin(&rows, v, d, l);
	open_view(&w);
	walk(&w, add_row, &rows);
	tree_rows_print(&rows);
	close_view(&w);
}

static void add_item(struct tree_view *w, uint32_t i, void *first)
{
	const struct node *n = &w->t->nodes[i];
	struct tree_row row =
	    row_of(w, i, n->zone ? w->v->load.zones.list[n->zone].name : VIEW_OVERFLOW);
	json_t *o = tree_rows_json(
	    w->v, w->l, &row, i, w->depth[i] > 1 ? json_integer(n->parent) : json_null(), n->zone);
	json_object_set_new(o, "thread", json_integer(n->thread));
	if (n->open)
		json_object_set_new(o, "open", json_integer(n->open));
	view_json_counters(o, w->v, &n->self, &w->totals[i]);
	view_json_item(w->v->terminal.out, first, o);
}

void tree_view_json(struct view *v, const struct derived *d, const struct listing *l)
{
	struct tree_view w = {.v = v, .d = d, .l = l, .t = v->tree};
	bool first = true;
	open_view(&w);
	view_json_array(v->terminal.out, "contexts");
	walk(&w, add_item, &first);
	view_json_array_end(v->terminal.out);
	close_view(&w);
}
