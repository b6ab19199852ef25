/* SPDX-License-Identifier: MIT */
/* cmd_groups.c - `zprof groups`: time by group of functions; with --matrix also by caller. */
#include <stdio.h>
#include <stdlib.h>

#include "report/callgraph/callgraph_options.h"
#include "report/core/command/command.h"
#include "report/core/base/wrap.h"
#include "report/callgraph/counter_columns.h"
#include "report/callgraph/wait_columns.h"
#include "report/callgraph/group_times.h"
#include "report/core/view/listing.h"
#include "report/callgraph/parts.h"
#include "report/core/base/memory.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"

enum {
	PERCENT,
	LEAD,
	SELF = LEAD + COUNTER_LEAD,
	BAR,
	SPLIT,
	CALLS = SPLIT + WAIT_SPLIT,
	WAITS,
	COUNTER = WAITS + WAIT_COUNTS,
	NAME = COUNTER + COUNTER_COLUMNS,
	COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [PERCENT] = {.head = "% time", .right = true, .least = 6},
    [LEAD] = COUNTER_LEAD_COLUMN,
    [LEAD + 1] = COUNTER_LEAD_COLUMN,
    [SELF] = {.head = "self", .right = true, .gap = 4, .least = 8, .optional = true},
    [BAR] =
	{.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    WAIT_SPLIT_COLUMNS(SPLIT, 0),
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 8},
    WAIT_COUNT_COLUMNS(WAITS),
    [NAME] = {.head = "group", .gap = 2},
};

/* The table while it is printed, and its groups. */
struct printing {
	const struct view *v;
	const struct group_times *g;
	struct table table;
	struct counter_columns counters;
};

static void add_cells(struct printing *p, const struct group_row *r)
{
	char text[UNITS_TEXT];
	struct table *t = &p->table;
	const struct view *v = p->v;
	table_cell(t, CALLS, "%s", view_calls(v, text, r->calls));
	counter_columns_cells(&p->counters, t, &r->self, NULL, false);
	struct cost self = view_shown(v, &r->self);
	double bar = cost_self_bar(&self);
	if (!v->counts_only || p->counters.lead >= 0)
		counter_columns_percent(&p->counters, t, v,
					&(struct counter_share){&r->self, r->calls, bar},
					&(struct counter_share){&p->g->whole, p->g->calls, 0});
	if (v->counts_only)
		return;
	table_cell(t, SELF, "%s", view_bounded(v, text, self.ns, bar));
	table_cell(t, BAR, "%s", view_bar(v, text, self.ns, bar));
	wait_columns_split(t, SPLIT, v, &r->self, false);
	wait_columns_counts(t, WAITS, v, &r->self);
}

static bool row_shown(const struct view *v, const struct group_times *g, const struct group_row *r)
{
	double percent = v->options->filters.min_percent;
	struct cost whole = view_shown(v, &g->whole), self = view_shown(v, &r->self);
	return percent <= 0 || cost_self_weight(&self) >= whole.ns * percent / 100;
}

/* Adds a row for each group that called a group. These rows share out the called group's time. */
static void add_callers(struct printing *p, size_t row)
{
	const struct group_times *g = p->g;
	for (size_t k = 0; k <= g->count; k++) {
		const struct group_row *cell = &g->cells[row * (g->count + 1) + k];
		if (!cell->calls && !cell->self.ticks)
			continue;
		table_row(&p->table, TABLE_PLAIN);
		add_cells(p, cell);
		if (k < g->count)
			table_cell(&p->table, NAME, "    for %s", group_times_name(p->v, k));
		else
			table_cell(&p->table, NAME, "    for <spontaneous>");
	}
}

/* Whether cycles lead: they do if all groups in which anything ran have some (listing.h). */
static int find_lead(const struct view *v, const struct group_times *g)
{
	int cycles = listing_cycles(v);
	bool any = false;
	for (size_t i = 0; cycles >= 0 && i < g->count; i++) {
		const struct group_row *r = &g->rows[i];
		if (r->self.counter[cycles] <= 0 && (r->calls || r->self.ticks))
			return LISTING_NO_LEAD;
		any |= r->self.counter[cycles] > 0;
	}
	return any ? cycles : LISTING_NO_LEAD;
}

static int group_columns(const struct view *v, struct counter_columns *c)
{
	counter_columns_init(c, columns, COLUMNS, PERCENT, COUNTER, "", v);
	return COLUMNS;
}

static void print(const struct view *v, const struct group_times *g, const size_t *order)
{
	struct printing p = {.v = v, .g = g};
	bool matrix = callgraph_asked(v)->matrix;
	size_t limit = v->options->filters.limit, shown = 0;
	group_columns(v, &p.counters);
	counter_columns_lead(&p.counters, find_lead(v, g), LEAD);
	parts_table(&p.table, v, p.counters.columns, COLUMNS);
	for (size_t i = 0; i < g->count && (!limit || shown < limit); i++) {
		const struct group_row *r = &g->rows[order[i]];
		if (!row_shown(v, g, r))
			continue;
		shown++;
		table_row(&p.table, matrix ? TABLE_STRONG : TABLE_PLAIN);
		add_cells(&p, r);
		table_cell(&p.table, NAME, "%s", group_times_name(v, order[i]));
		if (matrix)
			add_callers(&p, order[i]);
	}
	table_print(&p.table, &v->terminal);
	table_free(&p.table);
}

static json_t *row_json(const struct view *v, const struct group_row *r, const char *key,
			const char *name)
{
	json_t *o = json_object();
	json_object_set_new(o, key, name ? view_json_text(name) : json_null());
	json_object_set_new(o, "calls", view_json_calls(v, r->calls));
	json_object_set_new(o, "self_ticks", json_integer((json_int_t)r->self.ticks));
	json_object_set_new(o, "self_ns", json_real(r->self.ns));
	json_object_set_new(o, "error_ns", json_real(view_self_bar(v, &r->self)));
	view_json_absences(o, v, "self", &r->self, cost_self_bar);
	view_json_counters(o, v, &r->self, NULL);
	return o;
}

static json_t *callers_json(const struct view *v, const struct group_times *g, size_t row)
{
	json_t *list = json_array();
	for (size_t k = 0; k <= g->count; k++) {
		const struct group_row *cell = &g->cells[row * (g->count + 1) + k];
		const char *name = k < g->count ? group_times_name(v, k) : NULL;
		if (cell->calls || cell->self.ticks)
			json_array_append_new(list, row_json(v, cell, "caller", name));
	}
	return list;
}

static void print_json(const struct view *v, const struct group_times *g, const size_t *order)
{
	bool first = true;
	size_t limit = v->options->filters.limit, shown = 0;
	view_json_array(v->terminal.out, "groups");
	for (size_t i = 0; i < g->count && (!limit || shown < limit); i++) {
		const struct group_row *r = &g->rows[order[i]];
		if (!row_shown(v, g, r))
			continue;
		shown++;
		json_t *o = row_json(v, r, "name", group_times_name(v, order[i]));
		if (callgraph_asked(v)->matrix)
			json_object_set_new(o, "callers", callers_json(v, g, order[i]));
		view_json_item(v->terminal.out, &first, o);
	}
	view_json_array_end(v->terminal.out);
}

static double key_of(const struct view *v, const struct group_row *r)
{
	const struct filters *f = &v->options->filters;
	enum filter_sort sort = f->sort;
	struct cost self = view_shown(v, &r->self);
	if (sort == FILTER_SORT_CALLS)
		return (double)r->calls;
	if (sort == FILTER_SORT_WAITED)
		return r->self.wait_ns;
	if (sort == FILTER_SORT_COUNTER)
		return (double)r->self.counter[f->sort_counter];
	return sort == FILTER_SORT_ERROR ? cost_self_bar(&self) : cost_self_weight(&self);
}

/* Sorts groups: (etc) first, then in the metric's order, or by --sort. Groups are few, so an
 * insertion sort is enough. */
static size_t *make_order(const struct view *v, const struct group_times *g)
{
	const struct filters *f = &v->options->filters;
	enum filter_sort sort = f->sort;
	size_t *order = memory_resize(NULL, g->count, sizeof *order);
	for (size_t i = 0; i < g->count; i++) {
		size_t at = i;
		while (at > 1 && sort != FILTER_SORT_DEFAULT && sort != FILTER_SORT_NAME &&
		       key_of(v, &g->rows[order[at - 1]]) < key_of(v, &g->rows[i])) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
	return order;
}

static void text(struct view *v, const struct derived *d)
{
	struct group_times g;
	(void)d;
	group_times_make(&g, v);
	size_t *order = make_order(v, &g);
	print(v, &g, order);
	if (!v->groups.count)
		wrap_print(&v->terminal,
			   "\nNo groups: they are read from 'zprof.groups' in this folder, or from "
			   "--groups FILE; see 'zprof help groups-file'\n");
	free(order);
	group_times_free(&g);
}

static void json(struct view *v, const struct derived *d)
{
	struct group_times g;
	(void)d;
	group_times_make(&g, v);
	size_t *order = make_order(v, &g);
	print_json(v, &g, order);
	free(order);
	group_times_free(&g);
}

static void show(struct view *v)
{
	parts_show(v, &(struct parts_of){text, json, group_columns});
}

static const struct option_spec options[] = {
    {0, "matrix", NULL, OPTIONS_VIEW, OPTION_OWN_FLAG(callgraph_options, matrix),
     "split each group's time by the nearest different group that called it"},
    OPTIONS_OF(options_parts),
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_rows),
    OPTIONS_OF(options_contexts),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(callgraph_option_waits),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_columns),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_groups = {
    .name = "groups",
    .options = options,
    .own_size = sizeof(struct callgraph_options),
    .sums = true,
    .show = show,
    .cpu_first = true,
};
