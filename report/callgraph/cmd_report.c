/* SPDX-License-Identifier: MIT */
/* cmd_report.c - `zprof report`: one row per function, or a tree: of contexts (tree_view.c), or of
 * callers (callers_view.c). */
#include "report/callgraph/callers_view.h"
#include "report/callgraph/callgraph_options.h"
#include "report/core/command/command.h"
#include "report/callgraph/counter_columns.h"
#include "report/callgraph/wait_columns.h"
#include "report/callgraph/json_functions.h"
#include "report/callgraph/shorten.h"
#include "report/callgraph/parts.h"
#include "report/callgraph/ranks.h"
#include "report/cxx/short_name.h"
#include "report/core/base/table.h"
#include "report/callgraph/tree_rows.h"
#include "report/callgraph/tree_view.h"
#include "report/core/base/units.h"

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
	SELF_EACH = WAITS + WAIT_COUNTS,
	TOTAL_EACH,
	COUNTER,
	NAME = COUNTER + COUNTER_COLUMNS,
	PLACE,
	COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [PERCENT] = {.head = "% self", .right = true, .least = 6},
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
    [SELF_EACH] =
	{.head = "self/call", .right = true, .gap = 2, .least = 8, .optional = true, .drop = 4},
    [TOTAL_EACH] =
	{.head = "total/call", .right = true, .gap = 2, .least = 8, .optional = true, .drop = 3},
    [NAME] = {.head = "name", .gap = 2, .elastic = true, .shorten = short_name_fit},
    [PLACE] = {.head = "", .key = "place", .gap = 2, .drop = 3},
};

static void add_times(struct table *t, const struct view *v, const struct function *f)
{
	char text[UNITS_TEXT];
	struct cost self = view_shown(v, &f->self), total = view_shown(v, &f->total);
	double self_bar = cost_self_bar(&self), total_bar = cost_total_bar(&total);
	table_cell(t, SELF, "%s", view_bounded(v, text, self.ns, self_bar));
	table_cell(t, SELF_BAR, "%s", view_bar(v, text, self.ns, self_bar));
	table_cell(t, TOTAL, "%s", view_known_total(v, text, total.ns, total_bar, f->low));
	table_cell(t, TOTAL_BAR, "%s", view_bar(v, text, total.ns, total_bar));
	wait_columns_split(t, SELF_SPLIT, v, &f->self, false);
	wait_columns_split(t, TOTAL_SPLIT, v, &f->total, true);
	wait_columns_counts(t, WAITS, v, &f->self);
	if (!f->calls || v->options->waits)
		return;
	table_cell(t, SELF_EACH, "%s", view_each(v, text, self.ns, self_bar, f->calls));
	table_cell(t, TOTAL_EACH, "%s%s", f->low ? VIEW_AT_LEAST : "",
		   view_each(v, text, total.ns, f->low ? 0 : total_bar, f->calls));
}

static void add_row(struct table *t, const struct counter_columns *counters, struct view *v,
		    const struct derived *d, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	const struct zone *z = &v->load.zones.list[f->zone];
	table_row(t, TABLE_PLAIN);
	if (!view_is_sampled(v, f->zone))
		table_cell(t, CALLS, "%s", units_count(text, f->calls));
	struct cost self = view_shown(v, &f->self);
	counter_columns_percent(counters, t, v,
				&(struct counter_share){&f->self, f->calls, cost_self_bar(&self)},
				&(struct counter_share){&d->whole, d->calls, 0});
	if (!v->counts_only)
		add_times(t, v, f);
	counter_columns_cells(counters, t, &f->self, &f->total, false);
	view_place(z, &place);
	table_cell(t, NAME, "%s%s", view_zone_name(v, f->zone), view_state(v, f->zone, f->open));
	table_cell(t, PLACE, "%s", str_text(&place));
	str_free(&place);
}

/* Unwatched functions have no numbers; a row for each choice names them. */
static void add_unwatched(struct table *t, const struct choices *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct str text = {0};
		if (choices_in_force(c, i, &text)) {
			table_row(t, TABLE_PLAIN);
			table_cell(t, NAME, CHOICES_ROW);
			table_cell(t, PLACE, "%s", str_text(&text));
		}
		str_free(&text);
	}
}

static int flat_columns(const struct view *v, struct counter_columns *c)
{
	counter_columns_init(c, columns, COLUMNS, PERCENT, COUNTER, "total", v);
	return COLUMNS;
}

static void print_flat(struct view *v, const struct derived *d, const struct listing *l)
{
	struct table t;
	struct counter_columns counters;
	flat_columns(v, &counters);
	counter_columns_lead(&counters, l->lead, LEAD);
	if (v->options->full_names)
		counters.columns[NAME].shorten = NULL;
	parts_table(&t, v, counters.columns, COLUMNS);
	for (size_t i = 0; i < l->shown_count; i++)
		add_row(&t, &counters, v, d, &d->functions[l->shown[i]]);
	add_unwatched(&t, &v->load.choices);
	table_print(&t, &v->terminal);
	table_free(&t);
}

static void text(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_SELF);
	if (v->options->tree) {
		tree_view_print(v, d, &l);
	} else if (callgraph_asked(v)->callers) {
		struct shorten_cut cut = shorten_list(&l, v, d);
		callers_view_print(v, d, &l);
		shorten_print_cut(v, cut);
	} else {
		struct shorten_cut cut = shorten_list(&l, v, d);
		print_flat(v, d, &l);
		shorten_print_cut(v, cut);
	}
	listing_free(&l);
}

static void json(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_SELF);
	if (v->options->tree)
		tree_view_json(v, d, &l);
	else if (callgraph_asked(v)->callers)
		callers_view_json(v, d, &l);
	else
		json_functions_members(v, d, &l);
	listing_free(&l);
}

static void show(struct view *v)
{
	static const struct parts_of functions = {text, json, flat_columns},
				     tree = {text, json, tree_rows_columns},
				     ranks = {ranks_print, ranks_json, ranks_columns};
	const struct options *o = v->options;
	bool indented = o->tree || callgraph_asked(v)->callers;
	parts_show(v, o->by_rank ? &ranks : indented ? &tree : &functions);
}

static const struct option_spec options[] = {
    {0, "tree", NULL, OPTIONS_VIEW, OPTION_FLAG(tree),
     "show the context tree: each chain of callers on its own; --min and --depth prune it"},
    {0, "callers", NULL, NULL, OPTION_OWN_FLAG(callgraph_options, callers),
     "show the caller tree: below each function its callers, and theirs, with what it took on behalf "
     "of each"},
    {0, "by-rank", NULL, NULL, OPTION_FLAG(by_rank),
     "compare the ranks of a parallel job, function by function"},
    OPTIONS_OF(options_parts),
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    OPTIONS_OF(callgraph_option_all),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(callgraph_option_waits),
    OPTIONS_OF(options_json),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(callgraph_option_no_via),
    OPTIONS_OF(options_columns),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_report = {
    .name = "report",
    .options = options,
    .own_size = sizeof(struct callgraph_options),
    .sums = true,
    .show = show,
    .cpu_first = true,
};
