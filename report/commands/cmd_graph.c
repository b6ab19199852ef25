/* SPDX-License-Identifier: MIT */
/* cmd_graph.c - `zprof graph`: the call graph, in gprof's layout (blocks.c). */
#include <stdio.h>
#include <stdlib.h>

#include "report/view/blocks.h"
#include "report/commands/command.h"
#include "report/view/json_functions.h"
#include "report/base/memory.h"
#include "report/base/units.h"
#include "report/base/visible.h"

static void thread_head(const struct view *v, const struct tree_thread *t, const struct derived *d)
{
	char text[UNITS_TEXT];
	printf("thread '");
	visible_print(t->name);
	printf("' (number %u of process %u", t->tid, t->pid);
	if (t->count > 1)
		printf(", the last of %u one after another", t->count);
	printf("): %s\n\n", v->counts_only ? "calls only" : view_time(v, text, d->whole.ns));
}

static void thread_blocks(struct view *v, const struct tree *t)
{
	struct derived d;
	struct listing l;
	derive(&d, t, v->load.zones.count);
	listing_make(&l, v, &d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	thread_head(v, &t->threads[0], &d);
	blocks_print(v, &d, &l);
	listing_free(&l);
	derive_free(&d);
}

/* One item of "by_thread": the members of the thread in "threads", then its functions and arcs. */
static void thread_json(struct view *v, const struct tree *t, bool *first)
{
	struct derived d;
	struct listing l;
	derive(&d, t, v->load.zones.count);
	listing_make(&l, v, &d, FILTER_SORT_TOTAL);
	printf("%s\n{\"tid\":%u,\"pid\":%u", *first ? "" : ",", t->threads[0].tid,
	       t->threads[0].pid);
	*first = false;
	json_functions_members(v, &d, &l);
	printf("}");
	listing_free(&l);
	derive_free(&d);
}

static void by_thread(struct view *v, const struct derived *d)
{
	bool first = true;
	struct tree *threads = filters_split(v->tree);
	if (v->options->json) {
		view_json_begin(v, d);
		view_json_threads(v->tree);
		view_json_array("by_thread");
	}
	for (size_t i = 0; i < v->tree->thread_count; i++) {
		if (v->options->json) {
			thread_json(v, &threads[i], &first);
		} else {
			fputs(i ? "\n" : "", stdout);
			thread_blocks(v, &threads[i]);
		}
		tree_free(&threads[i]);
	}
	free(threads);
	if (v->options->json) {
		view_json_array_end();
		view_json_end();
	}
}

static void whole(struct view *v, const struct derived *d)
{
	struct listing l;
	listing_make(&l, v, d, v->counts_only ? FILTER_SORT_CALLS : FILTER_SORT_TOTAL);
	if (v->options->json)
		json_functions(v, d, &l);
	else
		blocks_print(v, d, &l);
	listing_free(&l);
}

static void show(struct view *v)
{
	struct derived d;
	derive(&d, v->tree, v->load.zones.count);
	if (!v->options->json)
		view_print_head(v, &d);
	if (v->options->by_thread)
		by_thread(v, &d);
	else
		whole(v, &d);
	if (!v->options->json)
		view_print_losses(v);
	derive_free(&d);
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_graph;
	return command_view(&cmd_graph, argc, argv, show);
}

const struct command cmd_graph = {
    .name = "graph",
    .synopsis = "[OPTION...] [FILE|FOLDER...]",
    .summary = "the call graph: callers, callees, and what they cost",
    .options = OPTIONS_INPUT | OPTIONS_GROUPS | OPTIONS_TREE | OPTIONS_SELECT | OPTIONS_BY_THREAD |
	       OPTIONS_BLOCKS,
    .text = "Prints a block for each function, the largest total first. Without FILE it reads "
	    "the newest run in the current folder; several files or folders are merged. The "
	    "layout is gprof's; the numbers are measured where gprof guesses.\n\n"
	    "  index  % time      self  children            called  name\n"
	    "                  12.1 ms    398 ms       1,000/3,000      physics_step [4]\n"
	    "                  80.0 ms    1.84 s       2,000/3,000      ai_think [6]\n"
	    "  [3]      72.4   92.1 ms    2.24 s       3,000        cast_ray [3]\n"
	    "                   901 ms    1.10 s   900,000/900,000      march [7]\n\n"
	    "The line that begins with the index is the function's own: its share of all time "
	    "spent in zones (callees included), the time spent in itself, the time spent in "
	    "what it called, and how often it was called. Times are wall-clock times, waiting "
	    "included. n+m means n calls by others and m by itself.\n\n"
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
    .run = run,
};
