/* SPDX-License-Identifier: MIT */
/* cmd_graph.c - `zprof graph`: the call graph, in gprof's layout (blocks.c). */
#include "report/callgraph/callgraph_options.h"
#include "report/callgraph/blocks.h"
#include "report/core/command/command.h"
#include "report/core/view/json_functions.h"
#include "report/core/view/parts.h"

static void text(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	size_t left_out = listing_shorten(&l, v, d);
	blocks_print(v, d, &l);
	listing_print_more(v, left_out);
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
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_waits),
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
    .synopsis = "[OPTION...] [FILE|FOLDER...]",
    .summary = "the call graph: callers, callees, and what they cost",
    .options = options,
    .own_size = sizeof(struct callgraph_options),
    .sums = true,
    .text =
	"Prints a block for each function, the largest total first. Without FILE it reads "
	"the newest run in the current folder; several files or folders are merged. The "
	"layout is gprof's; the numbers are measured where gprof guesses. If there are "
	"more than 40 functions, it shows the blocks of those whose self times make up 95 % of the "
	"time, at most 40, unless an option selects blocks; --all shows all of them, and an index "
	"by name at the end.\n\n"
	"  index  % time      self  children            called  name\n"
	"                  12.1 ms    398 ms       1,000/3,000      physics_step [4]\n"
	"                  80.0 ms    1.84 s       2,000/3,000      ai_think [6]\n"
	"  [3]      72.4   92.1 ms    2.24 s       3,000        cast_ray [3]\n"
	"                   901 ms    1.10 s   900,000/900,000      march [7]\n\n"
	"The line that begins with the index is the function's own: its share of all time spent in "
	"zones (callees included), the time spent in itself, the time spent in what it called, and "
	"how often it was called. Times are on a processor or waiting ('--waits' tells the two "
	"apart), without the time that others had the processor. n+m means n calls by others and m "
	"by itself.\n\n"
	"A line above names a caller. It shows what the function cost on that caller's "
	"behalf: the part of its self time, the part of its children's time, and how many "
	"of its n calls came from there. The lines above add up to the function's own line, "
	"to the tick.\n\n"
	"A line below names a callee. It shows what the callee cost on this function's "
	"behalf, and how many of the callee's calls these are. The self and children "
	"columns of the lines below add up to the function's children. <spontaneous> stands "
	"for the start of a thread.\n\n"
	"'main [1] via qsort_r > msort_with_tmp' is a caller with code in between that was "
	"not instrumented: main called qsort_r, which in the end called the function. This "
	"is recorded when the caller first calls the function; ' ...' means that other "
	"calls came another way. Of more than three names, the first and the last two are "
	"shown; the functions that start every process and thread are left out. 'a signal' "
	"is the kernel's call of a signal handler.\n\n"
	"Under recursion a tick is counted once: for the caller of the outermost call of "
	"the function on the path, and for the callee of the innermost. So a caller that "
	"only calls the function while it is already running has calls in its line and no "
	"time.\n\n"
	"The column +- is the error of the time to its left, self and children together: "
	"100 ms +- 30% means 70 to 130 ms. '~' means that a time is smaller than its own "
	"error; such a line is sorted by the largest time it may have. '>=' means that a "
	"time may be larger, because max_nodes was used up. '(open)' means that the "
	"function had not returned when the profile was read or the program died.",
    .examples =
	"everything that takes a percent or more\n"
	"    zprof graph --min 1\n"
	"the block of one function\n"
	"    zprof graph --func cast_ray\n"
	"the graph of what the parser does, its string functions as if they were part of it\n"
	"    zprof graph --under parse --not 'str_*'\n"
	"each depth of a recursive function on its own\n"
	"    zprof graph --recursion=spread --func 'fib*'",
    .show = show,
};
