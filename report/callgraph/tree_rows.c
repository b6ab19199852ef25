/* SPDX-License-Identifier: MIT */
/* tree_rows.c - see tree_rows.h. */
#include "report/callgraph/tree_rows.h"

#include "report/callgraph/wait_columns.h"
#include "report/core/base/units.h"
#include "report/callgraph/parts.h"

enum {
	PERCENT,
	LEAD,
	SELF = LEAD + COUNTER_LEAD,
	SELF_BAR,
	SELF_SPLIT,
	TOTAL = SELF_SPLIT + WAIT_SPLIT,
	TOTAL_BAR,
	TOTAL_SPLIT,
	CALLS = TOTAL_SPLIT + WAIT_SPLIT,
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
    [SELF_BAR] =
	{.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 1},
    [TOTAL] = {.head = "total", .right = true, .gap = 2, .least = 8, .optional = true},
    [TOTAL_BAR] =
	{.head = "", .key = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .drop = 2},
    WAIT_SPLIT_COLUMNS(SELF_SPLIT, 0),
    WAIT_SPLIT_COLUMNS(TOTAL_SPLIT, 7),
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 8},
    WAIT_COUNT_COLUMNS(WAITS),
    [NAME] = {.head = "name", .gap = 2},
};

#define DEEPEST_INDENT 64 /* levels; deeper rows show their level as a number */

int tree_rows_columns(const struct view *v, struct counter_columns *c)
{
	counter_columns_init(c, columns, COLUMNS, PERCENT, COUNTER, "total", v);
	return COLUMNS;
}

void tree_rows_begin(struct tree_rows *r, struct view *v, const struct derived *d,
		     const struct listing *l)
{
	*r = (struct tree_rows){.v = v, .d = d};
	tree_rows_columns(v, &r->counters);
	counter_columns_lead(&r->counters, l->lead, LEAD);
	parts_table(&r->table, v, r->counters.columns, COLUMNS);
}

static void add_times(struct tree_rows *r, const struct tree_row *row)
{
	char text[UNITS_TEXT];
	struct view *v = r->v;
	struct table *t = &r->table;
	struct cost self = view_shown(v, row->self), total = view_shown(v, row->total);
	double self_bar = cost_self_bar(&self), total_bar = cost_total_bar(&total);
	table_cell(t, SELF, "%s", view_bounded(v, text, self.ns, self_bar));
	table_cell(t, SELF_BAR, "%s", view_bar(v, text, self.ns, self_bar));
	table_cell(t, TOTAL, "%s", view_known_total(v, text, total.ns, total_bar, row->low));
	table_cell(t, TOTAL_BAR, "%s", view_bar(v, text, total.ns, total_bar));
	wait_columns_split(t, SELF_SPLIT, v, row->self, false);
	wait_columns_split(t, TOTAL_SPLIT, v, row->total, true);
	wait_columns_counts(t, WAITS, v, row->self);
}

static void add_percent(struct tree_rows *r, const struct tree_row *row)
{
	struct counter_share part = {row->by_self ? row->self : row->total, row->all_calls, 0};
	struct cost shown = view_shown(r->v, part.cost);
	part.bar_ns = row->by_self ? cost_self_bar(&shown) : cost_total_bar(&shown);
	counter_columns_percent(&r->counters, &r->table, r->v, &part,
				&(struct counter_share){&r->d->whole, r->d->calls, 0});
}

void tree_rows_add(struct tree_rows *r, const struct tree_row *row)
{
	char text[UNITS_TEXT];
	uint32_t indent = row->depth - 1;
	struct str name = {0};
	table_row(&r->table, TABLE_PLAIN);
	add_percent(r, row);
	if (!r->v->counts_only)
		add_times(r, row);
	if (!row->uncounted)
		table_cell(&r->table, CALLS, "%s", view_calls(r->v, text, row->calls));
	counter_columns_cells(&r->counters, &r->table, row->self, row->total, false);
	if (indent <= DEEPEST_INDENT)
		str_add(&name, "%*s%s", (int)indent * 2, "", row->name);
	else
		str_add(&name, "%*s(%u deep) %s", DEEPEST_INDENT * 2, "", row->depth, row->name);
	table_tail(&r->table, NAME, name.text);
	str_free(&name);
}

void tree_rows_print(struct tree_rows *r)
{
	table_print(&r->table, &r->v->terminal);
	table_free(&r->table);
}

json_t *tree_rows_json(const struct view *v, const struct listing *l, const struct tree_row *row,
		       uint32_t id, json_t *parent, uint32_t zone)
{
	const struct cost *self = row->self, *total = row->total;
	json_t *o = json_pack("{s:I,s:o,s:I,s:o,s:o,s:I,s:I,s:f,s:f,s:f}", "id", (json_int_t)id,
			      "parent", parent, "function", (json_int_t)l->index[zone], "name",
			      view_json_text(row->name), "calls", view_json_calls(v, row->calls),
			      "self_ticks", (json_int_t)self->ticks, "total_ticks",
			      (json_int_t)total->ticks, "self_ns", self->ns, "total_ns", total->ns,
			      "error_ns", view_self_bar(v, self));
	json_object_set_new(o, "total_error_ns", json_real(view_total_bar(v, total)));
	view_json_absences(o, v, "self", self, cost_self_bar);
	view_json_absences(o, v, "total", total, cost_total_bar);
	if (row->low)
		json_object_set_new(o, "total_is_minimum", json_true());
	return o;
}
