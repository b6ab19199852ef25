/* SPDX-License-Identifier: MIT */
/* ranks.c - see ranks.h. */
#define _GNU_SOURCE
#include "report/callgraph/ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/table.h"
#include "report/core/base/units.h"
#include "report/cxx/short_name.h"
#include "report/callgraph/parts.h"

/* A function's mean time over all ranks, and the ranks with its least and largest time. */
struct rank_row {
	uint32_t zone;
	double mean;
	uint32_t least, most; /* numbers of ranks */
};

struct ranks {
	struct view *v;
	const char **names; /* sorted as versions are: 2 before 10 */
	size_t count;
	struct derived *of;
	bool by_total, by_calls;
	struct rank_row *rows;
	size_t row_count;
};

static int by_name(const void *left, const void *right)
{
	return strverscmp(*(const char *const *)left, *(const char *const *)right);
}

static void list_names(struct ranks *r)
{
	const struct load *l = &r->v->load;
	r->names = memory_zeroed(l->process_count, sizeof *r->names);
	for (size_t i = 0; i < l->process_count; i++)
		r->names[i] = l->processes[i].rank;
	if (l->process_count)
		qsort(r->names, l->process_count, sizeof *r->names, by_name);
	for (size_t i = 0; i < l->process_count; i++)
		if (!i || strcmp(r->names[i], r->names[r->count - 1]))
			r->names[r->count++] = r->names[i];
}

static uint32_t number_of(const struct ranks *r, const char *name)
{
	const char **at = bsearch(&name, r->names, r->count, sizeof *r->names, by_name);
	return (uint32_t)(at - r->names);
}

static struct cost cost_of(const struct ranks *r, size_t rank, uint32_t zone)
{
	const struct function *f = &r->of[rank].functions[zone];
	return view_shown(r->v, r->by_total ? &f->total : &f->self);
}

static double value_of(const struct ranks *r, size_t rank, uint32_t zone)
{
	return r->by_calls ? (double)r->of[rank].functions[zone].calls : cost_of(r, rank, zone).ns;
}

static struct rank_row make_row(const struct ranks *r, uint32_t zone)
{
	struct rank_row row = {.zone = zone};
	for (uint32_t i = 0; i < r->count; i++) {
		double value = value_of(r, i, zone);
		row.mean += value / (double)r->count;
		if (value < value_of(r, row.least, zone))
			row.least = i;
		if (value > value_of(r, row.most, zone))
			row.most = i;
	}
	return row;
}

/* How much the slowest rank would gain if all ranks took the mean. */
static double excess(const struct ranks *r, const struct rank_row *row)
{
	return value_of(r, row->most, row->zone) - row->mean;
}

static int more_first(const void *left, const void *right, void *ranks)
{
	const struct rank_row *a = left, *b = right;
	const struct ranks *r = ranks;
	const struct zone *zones = r->v->load.zones.list;
	double x = excess(r, a), y = excess(r, b);
	if (r->v->options->filters.sort != FILTER_SORT_NAME && (x < y || x > y))
		return x < y ? 1 : -1;
	int order = strverscmp(zones[a->zone].name, zones[b->zone].name);
	return order ? order : (a->zone > b->zone) - (a->zone < b->zone);
}

static void open_ranks(struct ranks *r, struct view *v, const struct derived *d)
{
	const struct tree *t = v->tree;
	enum filter_sort sort = v->options->filters.sort;
	*r = (struct ranks){.v = v, .by_total = sort == FILTER_SORT_TOTAL};
	r->by_calls = v->counts_only || sort == FILTER_SORT_CALLS;
	list_names(r);
	uint32_t *rank_of = memory_resize(NULL, t->thread_count, sizeof *rank_of);
	for (size_t i = 0; i < t->thread_count; i++)
		rank_of[i] = number_of(r, v->load.processes[t->threads[i].process].rank);
	struct tree *trees = filters_split(t, rank_of, r->count);
	r->of = memory_zeroed(r->count, sizeof *r->of);
	for (size_t i = 0; i < r->count; i++) {
		derive(&r->of[i], &trees[i], v->load.zones.count);
		tree_free(&trees[i]);
	}
	bool *shown =
	    filters_select(&v->options->filters, d, &v->load.zones, &v->groups, v->measure);
	r->rows = memory_zeroed(d->function_count, sizeof *r->rows);
	for (uint32_t i = 1; i < d->function_count; i++)
		if (shown[i])
			r->rows[r->row_count++] = make_row(r, i);
	qsort_r(r->rows, r->row_count, sizeof *r->rows, more_first, r);
	size_t limit = v->options->filters.limit;
	if (limit && r->row_count > limit)
		r->row_count = limit;
	free(shown);
	free(trees);
	free(rank_of);
}

static void close_ranks(struct ranks *r)
{
	for (size_t i = 0; i < r->count; i++)
		derive_free(&r->of[i]);
	free(r->of);
	free(r->names);
	free(r->rows);
}

enum { LEAST, MEAN, MOST, BAR, RANK, IMBALANCE, NAME, PLACE, COLUMNS };

static const struct table_column columns[COLUMNS] = {
    [LEAST] = {.head = "min", .right = true, .least = 8},
    [MEAN] = {.head = "mean", .right = true, .gap = 2, .least = 8},
    [MOST] = {.head = "max", .right = true, .gap = 2, .least = 8},
    [BAR] =
	{.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    [RANK] = {.head = "of rank", .right = true, .gap = 2, .least = 7},
    [IMBALANCE] = {.head = "imbalance", .right = true, .gap = 2, .least = 9},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
    [PLACE] = {.head = "", .key = "place", .gap = 2, .drop = 2},
};

static double bar_of(const struct ranks *r, size_t rank, uint32_t zone)
{
	struct cost cost = cost_of(r, rank, zone);
	return r->by_total ? cost_total_bar(&cost) : cost_self_bar(&cost);
}

/* The error bar of the mean: ranks may all be off in one direction. */
static double mean_bar(const struct ranks *r, uint32_t zone)
{
	double sum = 0;
	for (size_t i = 0; i < r->count; i++)
		sum += bar_of(r, i, zone);
	return sum / (double)r->count;
}

static const char *value_text(const struct ranks *r, char *text, double value, double bar)
{
	return r->by_calls ? units_count(text, (uint64_t)llround(value))
			   : view_bounded(r->v, text, value, bar);
}

static void add_row(struct table *t, const struct ranks *r, const struct rank_row *row)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	double least = value_of(r, row->least, row->zone), most = value_of(r, row->most, row->zone);
	double bar = bar_of(r, row->most, row->zone);
	table_row(t, TABLE_PLAIN);
	table_cell(t, LEAST, "%s", value_text(r, text, least, bar_of(r, row->least, row->zone)));
	table_cell(t, MEAN, "%s", value_text(r, text, row->mean, mean_bar(r, row->zone)));
	table_cell(t, MOST, "%s", value_text(r, text, most, bar));
	if (!r->by_calls)
		table_cell(t, BAR, "%s", view_bar(r->v, text, most, bar));
	table_cell(t, RANK, "%s", r->names[row->most]);
	if (row->mean > 0)
		table_cell(t, IMBALANCE, "%.0f %%", 100 * excess(r, row) / row->mean);
	table_cell(t, NAME, "%s", view_zone_name(r->v, row->zone));
	view_place(&r->v->load.zones.list[row->zone], &place);
	table_cell(t, PLACE, "%s", str_text(&place));
	str_free(&place);
}

int ranks_columns(const struct view *v, struct counter_columns *c)
{
	(void)v;
	memcpy(c->columns, columns, sizeof columns);
	return COLUMNS;
}

void ranks_print(struct view *v, const struct derived *d)
{
	struct ranks r;
	struct table t;
	open_ranks(&r, v, d);
	fprintf(v->terminal.out, "%s of %s\n\n",
		r.by_calls   ? "Calls"
		: r.by_total ? "Total time"
			     : "Self time",
		units_of((char[UNITS_TEXT]){0}, r.count, "rank"));
	parts_table(&t, v, columns, COLUMNS);
	for (size_t i = 0; i < r.row_count; i++)
		add_row(&t, &r, &r.rows[i]);
	table_print(&t, &v->terminal);
	table_free(&t);
	close_ranks(&r);
}

static json_t *function(const struct ranks *r, const struct rank_row *row)
{
	json_t *o = json_object(), *calls = json_array(), *self = json_array(),
	       *total = json_array();
	for (size_t i = 0; i < r->count; i++) {
		const struct function *f = &r->of[i].functions[row->zone];
		json_array_append_new(calls, view_json_calls(r->v, f->calls));
		json_array_append_new(self, json_real(f->self.ns));
		json_array_append_new(total, json_real(f->total.ns));
	}
	json_object_set_new(o, "name", view_json_text(r->v->load.zones.list[row->zone].name));
	json_object_set_new(o, "least", view_json_text(r->names[row->least]));
	json_object_set_new(o, "most", view_json_text(r->names[row->most]));
	json_object_set_new(o, "imbalance",
			    row->mean > 0 ? json_real(excess(r, row) / row->mean) : json_null());
	json_object_set_new(o, "calls", calls);
	json_object_set_new(o, "self_ns", self);
	json_object_set_new(o, "total_ns", total);
	return o;
}

void ranks_json(struct view *v, const struct derived *d)
{
	struct ranks r;
	bool first = true;
	json_t *names = json_array();
	open_ranks(&r, v, d);
	for (size_t i = 0; i < r.count; i++)
		json_array_append_new(names, view_json_text(r.names[i]));
	view_json_member(v->terminal.out, "ranks", names);
	view_json_array(v->terminal.out, "by_rank");
	for (size_t i = 0; i < r.row_count; i++)
		view_json_item(v->terminal.out, &first, function(&r, &r.rows[i]));
	view_json_array_end(v->terminal.out);
	close_ranks(&r);
}
