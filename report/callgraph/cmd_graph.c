/* SPDX-License-Identifier: MIT */
/* cmd_graph.c - `zprof graph`: the call graph, in gprof's layout (blocks.c). */
#include "report/callgraph/callgraph_options.h"
#include "report/callgraph/blocks.h"
#include "report/core/command/command.h"
#include "report/callgraph/json_functions.h"
#include "report/callgraph/shorten.h"
#include "report/callgraph/parts.h"

static void text(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	struct shorten_cut cut = shorten_list(&l, v, d);
	blocks_print(v, d, &l);
	shorten_print_cut(v, cut);
	listing_free(&l);
}

static void json(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	json_functions_members(v, d, &l);
	listing_free(&l);
}

static void show(struct view *v)
{
	parts_show(v, &(struct parts_of){text, json, blocks_columns});
}

static const struct option_spec options[] = {
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
    {0, "sites", NULL, NULL, OPTION_OWN_FLAG(callgraph_options, sites),
     "show in callers' lines the source lines (and columns) that call the function, if an "
     "interpreter reported them; at most three, JSON has all"},
    OPTIONS_OF(options_columns),
    OPTIONS_OF(options_terminal),
    OPTIONS_END,
};

const struct command cmd_graph = {
    .name = "graph",
    .options = options,
    .own_size = sizeof(struct callgraph_options),
    .sums = true,
    .show = show,
    .cpu_first = true,
};
