/* SPDX-License-Identifier: MIT */
/* callers_view.c - see callers_view.h. */
#include "report/callgraph/callers_view.h"

#include "report/callgraph/callers.h"
#include "report/callgraph/tree_rows.h"

struct callers_view {
	struct view *v;
	const struct derived *d;
	const struct listing *l;
	struct callers callers;
	double least; /* of weight() */
	uint32_t deepest;
	size_t printed;
	void (*each)(struct callers_view *w, uint32_t row);
	struct tree_rows *rows; /* of text */
	bool first;             /* of JSON */
};

/* What a chain is sorted and cut by: the number that --sort names. */
static double weight(const struct callers_view *w, const struct callers_row *r)
{
	const struct filters *f = &w->v->options->filters;
	bool led = f->sort == FILTER_SORT_DEFAULT && w->l->lead != LISTING_NO_LEAD;
	if (f->sort == FILTER_SORT_COUNTER || led)
		return (double)r->self.counter[led ? (size_t)w->l->lead : f->sort_counter];
	if (f->sort == FILTER_SORT_CALLS || w->v->counts_only)
		return (double)r->calls;
	if (f->sort == FILTER_SORT_WAITED)
		return r->self.wait_ns;
	struct cost self = view_shown(w->v, &r->self), total = view_shown(w->v, &r->total);
	return f->sort == FILTER_SORT_TOTAL ? cost_total_weight(&total) : cost_self_weight(&self);
}

static int heaviest_first(const struct callers_row *a, const struct callers_row *b,
			  const void *context)
{
	double x = weight(context, a), y = weight(context, b);
	return (x < y) - (x > y);
}

/* The whole of what weight() weighs. */
static double whole(const struct callers_view *w)
{
	struct callers_row all = {.self = w->d->whole, .total = w->d->whole, .calls = w->d->calls};
	all.self.variance = all.self.error_ns = 0;
	return weight(w, &all);
}

static void show_chains(struct callers_view *w, uint32_t root);

static void show(struct callers_view *w)
{
	const struct filters *f = &w->v->options->filters;
	double share = f->min_percent > 0 ? f->min_percent / 100 : CALLERS_LEAST;
	w->least = w->v->options->all ? -INFINITY : share * whole(w);
	w->deepest = f->depth ? f->depth : w->v->options->all ? UINT32_MAX : CALLERS_DEEPEST;
	callers_init(&w->callers, w->v->tree, w->v->load.zones.count);
	for (size_t i = 0; i < w->l->shown_count; i++) {
		uint32_t root = w->callers.roots[w->l->shown[i]];
		if (root != TREE_NONE)
			show_chains(w, root);
	}
	callers_free(&w->callers);
}

/* Shows a function and the chains that end with it, the heaviest first. The row at hand is the only
 * state, so that a chain may be a million long. */
static void show_chains(struct callers_view *w, uint32_t root)
{
	struct callers *c = &w->callers;
	size_t limit = w->v->options->filters.limit;
	for (uint32_t at = root; !limit || w->printed < limit;) {
		bool heavy = at == root || weight(w, &c->rows[at]) >= w->least;
		if (heavy) {
			w->each(w, at);
			w->printed++;
		}
		if (heavy && c->rows[at].depth + 1 < w->deepest) {
			callers_open(c, at);
			callers_sort(c, at, heaviest_first, w);
		}
		uint32_t next = heavy ? c->rows[at].first : TREE_NONE;
		while (next == TREE_NONE && at != root) {
			next = c->rows[at].next;
			at = c->rows[at].above;
		}
		if (next == TREE_NONE)
			return;
		at = next;
	}
}

static struct tree_row row_of(const struct callers_view *w, uint32_t i, const char *name)
{
	const struct callers_row *r = &w->callers.rows[i];
	return (struct tree_row){.depth = r->depth + 1,
				 .name = name,
				 .self = &r->self,
				 .total = &r->total,
				 .calls = r->calls,
				 .all_calls = r->calls,
				 .by_self = w->v->options->filters.sort != FILTER_SORT_TOTAL,
				 .low = r->low,
				 .uncounted =
				     r->zone != CALLERS_OUTSIDE && view_is_sampled(w->v, r->zone)};
}

/* A chain that goes no further needs no row to say so, unless others with the same end go on. */
static void print_row(struct callers_view *w, uint32_t i)
{
	const struct callers_row *r = &w->callers.rows[i];
	uint32_t zone = r->zone;
	if (zone == CALLERS_OUTSIDE && w->callers.rows[r->above].first == i && r->next == TREE_NONE)
		return;
	struct tree_row row = row_of(w, i,
				     zone == CALLERS_OUTSIDE ? "(from outside)"
				     : zone                  ? view_zone_name(w->v, zone)
							     : VIEW_OVERFLOW);
	tree_rows_add(w->rows, &row);
}

void callers_view_print(struct view *v, const struct derived *d, const struct listing *l)
{
	struct tree_rows rows;
	struct callers_view w = {.v = v, .d = d, .l = l, .each = print_row, .rows = &rows};
	tree_rows_begin(&rows, v, d, l);
	show(&w);
	tree_rows_print(&rows);
}

static void put_row(struct callers_view *w, uint32_t i)
{
	const struct callers_row *r = &w->callers.rows[i];
	bool outside = r->zone == CALLERS_OUTSIDE;
	struct tree_row row = row_of(w, i,
				     outside   ? "(from outside)"
				     : r->zone ? w->v->load.zones.list[r->zone].name
					       : VIEW_OVERFLOW);
	json_t *o =
	    tree_rows_json(w->v, w->l, &row, i, r->depth ? json_integer(r->above) : json_null(),
			   outside ? 0 : r->zone);
	view_json_counters(o, w->v, &r->self, &r->total);
	view_json_item(w->v->terminal.out, &w->first, o);
}

void callers_view_json(struct view *v, const struct derived *d, const struct listing *l)
{
	struct callers_view w = {.v = v, .d = d, .l = l, .each = put_row, .first = true};
	view_json_array(v->terminal.out, "callers");
	show(&w);
	view_json_array_end(v->terminal.out);
}
