/* SPDX-License-Identifier: MIT */
/*
 * blocks.c - see blocks.h. As in gprof, the largest caller and the largest callee stand next to the
 * function's own line. A function's calls of itself have no line; they are the m of n+m.
 */
#define _GNU_SOURCE
#include "report/callgraph/callgraph_options.h"
#include "report/callgraph/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/callgraph/counter_columns.h"
#include "report/callgraph/wait_columns.h"
#include "report/core/base/memory.h"
#include "report/cxx/short_name.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/callgraph/parts.h"

enum {
	INDEX,
	PERCENT,
	LEAD,
	SELF = LEAD + COUNTER_LEAD,
	SELF_SPLIT,
	CHILDREN = SELF_SPLIT + WAIT_SPLIT,
	CHILDREN_SPLIT,
	BAR = CHILDREN_SPLIT + WAIT_SPLIT,
	CALLED,
	OF,
	WAITS,
	COUNTER = WAITS + WAIT_COUNTS,
	NAME = COUNTER + COUNTER_COLUMNS,
	PLACE,
	COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [INDEX] = {.head = "index", .least = 6},
    [PERCENT] = {.head = "% time", .right = true, .gap = 1, .least = 6},
    [LEAD] = COUNTER_LEAD_COLUMN,
    [LEAD + 1] = COUNTER_LEAD_COLUMN,
    [SELF] = {.head = "self", .right = true, .gap = 3, .least = 8, .optional = true},
    [CHILDREN] = {.head = "children", .right = true, .gap = 2, .least = 8, .optional = true},
    [BAR] =
	{.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    [CALLED] = {.head = "", .right = true, .gap = 2, .least = 8},
    [OF] = {.head = "called", .head_right = true, .least = 6},
    WAIT_SPLIT_COLUMNS(SELF_SPLIT, 0),
    WAIT_SPLIT_COLUMNS(CHILDREN_SPLIT, 7),
    WAIT_COUNT_COLUMNS(WAITS),
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
    [PLACE] = {.head = "", .key = "place", .gap = 2, .drop = 2},
};

/* Arcs sorted by one end: those of zone z are arcs[start[z]] up to arcs[start[z + 1]]. */
struct ends {
	uint32_t *start, *arcs;
};

struct blocks {
	struct view *v;
	const struct derived *d;
	const struct listing *l;
	struct ends callers, callees; /* lines above, by callee; lines below, by caller */
	struct table table;
	struct counter_columns counters;
};

static uint32_t end_of(const struct arc *a, bool by_caller)
{
	return by_caller ? a->caller : a->callee;
}

static struct ends make_ends(const struct derived *d, bool by_caller)
{
	struct ends e = {memory_zeroed(d->function_count + 2, sizeof *e.start),
			 memory_resize(NULL, d->arc_count, sizeof *e.arcs)};
	for (size_t i = 0; i < d->arc_count; i++)
		e.start[end_of(&d->arcs[i], by_caller) + 2]++;
	for (size_t i = 2; i < d->function_count + 2; i++)
		e.start[i] += e.start[i - 1];
	for (size_t i = 0; i < d->arc_count; i++)
		e.arcs[e.start[end_of(&d->arcs[i], by_caller) + 1]++] = (uint32_t)i;
	return e;
}

static int more_first(double a, double b)
{
	return (a < b) - (a > b);
}

/* The value by which lines are sorted: the leading counter (listing.h), or the time. */
static double weight(const struct blocks *b, const struct cost *total)
{
	struct cost shown = view_shown(b->v, total);
	return b->l->lead >= 0 ? (double)total->counter[b->l->lead] : cost_total_weight(&shown);
}

static int child_order(const void *left, const void *right, void *context)
{
	const struct blocks *b = context;
	const struct arc *x = &b->d->arcs[*(const uint32_t *)left];
	const struct arc *y = &b->d->arcs[*(const uint32_t *)right];
	int order = more_first(weight(b, &x->child_total), weight(b, &y->child_total));
	if (!order)
		order = (x->calls < y->calls) - (x->calls > y->calls);
	uint32_t p = b->l->index[x->callee], q = b->l->index[y->callee];
	return order ? order : (p > q) - (p < q);
}

static int parent_order(const void *left, const void *right, void *context)
{
	const struct blocks *b = context;
	const struct arc *x = &b->d->arcs[*(const uint32_t *)left];
	const struct arc *y = &b->d->arcs[*(const uint32_t *)right];
	int order = more_first(weight(b, &y->parent_total), weight(b, &x->parent_total));
	if (!order)
		order = (x->calls > y->calls) - (x->calls < y->calls);
	uint32_t p = b->l->index[x->caller], q = b->l->index[y->caller];
	return order ? order : (p < q) - (p > q);
}

static const char *zone_name(struct blocks *b, uint32_t zone)
{
	return view_zone_name(b->v, zone);
}

/* PART less what floating point leaves of a difference of sums as large as WHOLE. */
static double without_residue(double part, double whole)
{
	return fabs(part) > 1e-9 * fabs(whole) ? part : 0;
}

/* What callees add to a function's SELF to make its TOTAL, with their doubts. */
static struct cost children_of(const struct cost *self, const struct cost *total)
{
	struct cost c = *total;
	cost_subtract(&c, self);
	c.ns = without_residue(c.ns, total->ns);
	c.cpu_ns = without_residue(c.cpu_ns, total->cpu_ns);
	c.wait_ns = without_residue(c.wait_ns, total->wait_ns);
	c.all_error_ns = without_residue(c.all_error_ns, total->all_error_ns);
	c.lengthened_ns = without_residue(c.lengthened_ns, total->lengthened_ns);
	c.variance = without_residue(c.variance, total->variance);
	return c;
}

/* Fills in the cells of times. LOW: the total may be more than is known. */
static void times(struct blocks *b, const struct cost *self, const struct cost *total, bool low)
{
	char text[UNITS_TEXT];
	counter_columns_cells(&b->counters, &b->table, self, total, true);
	if (b->v->counts_only)
		return;
	struct cost own = view_shown(b->v, self), all = view_shown(b->v, total);
	struct cost below = children_of(self, total), called = view_shown(b->v, &below);
	table_cell(&b->table, SELF, "%s", view_bounded(b->v, text, own.ns, cost_self_bar(&own)));
	table_cell(&b->table, CHILDREN, "%s",
		   view_known_total(b->v, text, called.ns, cost_total_bar(&called), low));
	table_cell(&b->table, BAR, "%s", view_bar(b->v, text, all.ns, cost_total_bar(&all)));
	wait_columns_split(&b->table, SELF_SPLIT, b->v, self, false);
	wait_columns_split(&b->table, CHILDREN_SPLIT, b->v, &below, true);
	wait_columns_counts(&b->table, WAITS, b->v, self);
}

/* Prints the line of a caller or callee. Its calls are those through the arc, out of all calls of
 * the callee by others. */
static void arc_line(struct blocks *b, const struct arc *a, bool above)
{
	char calls[UNITS_TEXT], all[UNITS_TEXT];
	const struct function *callee = &b->d->functions[a->callee];
	uint32_t other = above ? a->caller : a->callee;
	struct str name = {0};
	table_row(&b->table, TABLE_PLAIN);
	if (above)
		times(b, &a->parent_self, &a->parent_total, callee->low);
	else
		times(b, &a->child_self, &a->child_total, callee->low);
	if (!view_is_sampled(b->v, a->callee)) {
		table_cell(&b->table, CALLED, "%s", units_count(calls, a->calls));
		table_cell(&b->table, OF, "/%s",
			   units_count(all, callee->calls - callee->own_calls));
	}
	if (other)
		str_add(&name, "    %s [%u]", zone_name(b, other), b->l->index[other]);
	else
		str_add(&name, "    %s",
			callee->low && !a->calls ? VIEW_OVERFLOW : "<spontaneous>");
	table_cell(&b->table, NAME, "%s", name.text);
	if (above && callgraph_asked(b->v)->sites)
		sites_append(&name, &b->v->load.sites, zones_unspread(&b->v->load.zones, a->caller),
			     zones_unspread(&b->v->load.zones, a->callee));
	if (above && !callgraph_asked(b->v)->no_via)
		via_append(&name, &b->v->load.vias, &b->v->load.zones, a->caller, a->callee,
			   b->v->options->full_names);
	table_tail(&b->table, NAME, name.text);
	str_free(&name);
}

static void own_line(struct blocks *b, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	table_row(&b->table, TABLE_STRONG);
	table_cell(&b->table, INDEX, "[%u]", b->l->index[f->zone]);
	struct cost total = view_shown(b->v, &f->total);
	counter_columns_percent(
	    &b->counters, &b->table, b->v,
	    &(struct counter_share){&f->total, f->calls, cost_total_bar(&total)},
	    &(struct counter_share){&b->d->whole, b->d->calls, 0});
	times(b, &f->self, &f->total, f->low);
	if (!view_is_sampled(b->v, f->zone))
		table_cell(&b->table, CALLED, "%s", units_count(text, f->calls - f->own_calls));
	if (f->own_calls)
		table_cell(&b->table, OF, "+%s", units_count(text, f->own_calls));
	table_cell(&b->table, NAME, "%s [%u]%s", zone_name(b, f->zone), b->l->index[f->zone],
		   view_state(b->v, f->zone, f->open));
	view_place(&b->v->load.zones.list[f->zone], &place);
	table_cell(&b->table, PLACE, "%s", str_text(&place));
	str_free(&place);
}

static void lines(struct blocks *b, const struct ends *e, uint32_t zone, bool above)
{
	uint32_t *arcs = e->arcs + e->start[zone], count = e->start[zone + 1] - e->start[zone];
	qsort_r(arcs, count, sizeof *arcs, above ? parent_order : child_order, b);
	for (uint32_t i = 0; i < count; i++) {
		const struct arc *a = &b->d->arcs[arcs[i]];
		if (a->caller != a->callee &&
		    (a->calls || a->parent_total.ticks || a->child_total.ticks))
			arc_line(b, a, above);
	}
}

struct name_order {
	struct view *v;
	const uint32_t *index;
};

static int by_name(const void *left, const void *right, void *context)
{
	const struct name_order *o = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct zone *zones = o->v->load.zones.list;
	int order = strverscmp(zones[a].name, zones[b].name);
	return order ? order : (o->index[a] > o->index[b]) - (o->index[a] < o->index[b]);
}

/* Prints, as gprof does below its graph, where each function's block is. */
static void print_index(struct view *v, const struct listing *l)
{
	static const struct table_column index_columns[] = {
	    {.head = "index", .right = true, .least = 7},
	    {.head = "name", .gap = 2, .elastic = true}};
	struct name_order order = {v, l->index};
	struct table t;
	uint32_t *zones = memory_resize(NULL, l->shown_count, sizeof *zones);
	memcpy(zones, l->shown, l->shown_count * sizeof *zones);
	qsort_r(zones, l->shown_count, sizeof *zones, by_name, &order);
	table_init(&t, index_columns, 2);
	for (size_t i = 0; i < l->shown_count; i++) {
		table_row(&t, TABLE_PLAIN);
		table_cell(&t, 0, "[%u]", l->index[zones[i]]);
		table_cell(&t, 1, "%s", view_zone_name(v, zones[i]));
	}
	fputs("\nIndex by name:\n", v->terminal.out);
	table_print(&t, &v->terminal);
	table_free(&t);
	free(zones);
}

int blocks_columns(const struct view *v, struct counter_columns *c)
{
	counter_columns_init(c, columns, COLUMNS, PERCENT, COUNTER, "children", v);
	return COLUMNS;
}

void blocks_print(struct view *v, const struct derived *d, const struct listing *l)
{
	struct blocks b = {
	    .v = v, .d = d, .l = l, .callers = make_ends(d, false), .callees = make_ends(d, true)};
	blocks_columns(v, &b.counters);
	counter_columns_lead(&b.counters, l->lead, LEAD);
	if (v->options->full_names)
		b.counters.columns[NAME].shorten = NULL;
	parts_table(&b.table, v, b.counters.columns, COLUMNS);
	for (size_t i = 0; i < l->shown_count; i++) {
		uint32_t zone = l->shown[i];
		if (i)
			table_rule(&b.table);
		lines(&b, &b.callers, zone, true);
		own_line(&b, &d->functions[zone]);
		lines(&b, &b.callees, zone, false);
	}
	table_print(&b.table, &v->terminal);
	table_free(&b.table);
	if (v->options->all && l->shown_count)
		print_index(v, l);
	free(b.callers.start);
	free(b.callers.arcs);
	free(b.callees.start);
	free(b.callees.arcs);
}
