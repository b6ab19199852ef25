/* SPDX-License-Identifier: MIT */
/* cmd_report.c - `zprof report`: one row per function, or with --tree per context (tree_view.c). */
#include "report/commands/command.h"
#include "report/view/counter_columns.h"
#include "report/view/json_functions.h"
#include "report/base/table.h"
#include "report/view/tree_view.h"
#include "report/base/units.h"

enum {
	PERCENT,
	MARK,
	SELF,
	SELF_BAR,
	TOTAL,
	TOTAL_BAR,
	CALLS,
	SELF_EACH,
	TOTAL_EACH,
	COUNTER,
	NAME = COUNTER + COUNTER_COLUMNS,
	PLACE,
	COLUMNS
};

static const struct table_column columns[COLUMNS] = {
    [PERCENT] = {.head = "% self", .right = true, .least = 6},
    [MARK] = {.head = "", .gap = 2, .least = 1},
    [SELF] = {.head = "self", .right = true, .gap = 1, .least = 8, .optional = true},
    [SELF_BAR] =
	{.head = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .extra = true},
    [TOTAL] = {.head = "total", .right = true, .gap = 2, .least = 8, .optional = true},
    [TOTAL_BAR] =
	{.head = "+-", .right = true, .gap = 1, .least = 4, .optional = true, .extra = true},
    [CALLS] = {.head = "calls", .right = true, .gap = 2, .least = 8},
    [SELF_EACH] = {.head = "self/call", .right = true, .gap = 2, .least = 8, .optional = true},
    [TOTAL_EACH] = {.head = "total/call", .right = true, .gap = 2, .least = 8, .optional = true},
    [NAME] = {.head = "name", .gap = 2, .elastic = true},
    [PLACE] = {.head = "", .gap = 2},
};

static void add_times(struct table *t, const struct view *v, const struct derived *d,
		      const struct function *f)
{
	char text[UNITS_TEXT];
	double self_bar = cost_self_bar(&f->self), total_bar = cost_total_bar(&f->total);
	table_cell(t, PERCENT, "%s", units_percent(text, f->self.ns, d->whole.ns));
	table_cell(t, MARK, "%s", view_in_noise(f->self.ns, self_bar) ? "~" : "");
	table_cell(t, SELF, "%s", view_time(v, text, f->self.ns));
	table_cell(t, SELF_BAR, "%s", units_bar(text, self_bar, f->self.ns));
	table_cell(t, TOTAL, "%s%s", f->low ? VIEW_AT_LEAST : "", view_time(v, text, f->total.ns));
	table_cell(t, TOTAL_BAR, "%s", units_bar(text, total_bar, f->total.ns));
	if (!f->calls)
		return;
	table_cell(t, SELF_EACH, "%s", view_time(v, text, f->self.ns / (double)f->calls));
	table_cell(t, TOTAL_EACH, "%s", view_time(v, text, f->total.ns / (double)f->calls));
}

static void add_row(struct table *t, const struct counter_columns *counters, struct view *v,
		    const struct derived *d, const struct function *f)
{
	char text[UNITS_TEXT];
	struct str place = {0};
	const struct zone *z = &v->load.zones.list[f->zone];
	table_row(t, TABLE_PLAIN);
	table_cell(t, CALLS, "%s", units_count(text, f->calls));
	if (v->counts_only)
		table_cell(t, PERCENT, "%s",
			   units_percent(text, (double)f->calls, (double)d->calls));
	else
		add_times(t, v, d, f);
	counter_columns_cells(counters, t, &f->self, &f->total, false);
	view_place(z, &place);
	table_cell(t, NAME, "%s%s", view_zone_name(v, f->zone), f->open ? " (open)" : "");
	table_cell(t, PLACE, "%s", str_text(&place));
	str_free(&place);
}

static void print_flat(struct view *v, const struct derived *d, const struct listing *l)
{
	struct table t;
	struct counter_columns counters;
	counter_columns_init(&counters, columns, COLUMNS, COUNTER, "total", v);
	table_init(&t, counters.columns, COLUMNS);
	for (size_t i = 0; i < l->shown_count; i++)
		add_row(&t, &counters, v, d, &d->functions[l->shown[i]]);
	table_print(&t, &v->terminal);
	table_free(&t);
}

static void show(struct view *v)
{
	struct derived d;
	struct listing l;
	derive(&d, v->tree, v->load.zones.count);
	listing_make(&l, v, &d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_SELF);
	if (v->options->json && v->options->tree) {
		tree_view_json(v, &d, &l);
	} else if (v->options->json) {
		json_functions(v, &d, &l);
	} else {
		view_print_head(v, &d);
		if (v->options->tree)
			tree_view_print(v, &d, &l);
		else
			print_flat(v, &d, &l);
		view_print_losses(v);
	}
	listing_free(&l);
	derive_free(&d);
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_report;
	return command_view(&cmd_report, argc, argv, show);
}

const struct command cmd_report = {
    .name = "report",
    .synopsis = "[OPTION...] [FILE|FOLDER...]",
    .summary = "the flat profile, one row per function; or the context tree",
    .options = OPTIONS_INPUT | OPTIONS_GROUPS | OPTIONS_TREE | OPTIONS_SELECT | OPTIONS_AS_TREE,
    .text = "Prints a row for each function, sorted by the time spent in the function itself. "
	    "Without FILE it reads the newest run in the current folder: all files "
	    "'zprof.out.*' that the run's processes wrote. Runs and files of other users, "
	    "except root, are read only with --force. Several files or folders are merged; a "
	    "function is the same in all of them if it is at the same place of the same module.\n\n"
	    "  % self      self, as a share of all time spent in zones\n"
	    "  self        time spent in the function itself\n"
	    "  total       time spent in it and in all it called; a tick is counted once\n"
	    "  calls       how often it was entered: exact\n"
	    "  self/call   self per call, on average; total/call: total per call\n"
	    "  +-          error of the time to its left: 100 ms +- 30% is 70 to 130 ms\n\n"
	    "The errors come from the cost of the hooks, which is taken off. '~' means that a "
	    "time is smaller than its own error. Such a row is sorted by the largest time it "
	    "may have, so that nothing large sinks. '>=' means that a total may be larger, "
	    "because max_nodes was used up. '(open)' means that the function had not returned "
	    "when the profile was read or the program died. Time outside of all zones is in no "
	    "row; the head of the report shows it.\n\n"
	    "--tree shows the contexts themselves: a row for each different chain of callers, "
	    "indented below its caller, with the time spent in exactly that chain.",
    .examples = "the ten functions that take most time in themselves\n"
		"    zprof report --limit 10\n"
		"the functions of one library, by calls\n"
		"    zprof report --module 'libz.so*' --sort calls\n"
		"where the time below parse() goes, chain by chain, from one percent upwards\n"
		"    zprof report --tree --under parse --min 1",
    .run = run,
};
