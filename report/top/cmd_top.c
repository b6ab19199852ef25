/* SPDX-License-Identifier: MIT */
/* cmd_top.c - `zprof top`: the live view of a running process. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/command/command.h"
#include "report/process/live_process.h"
#include "report/top/screen.h"
#include "report/top/session.h"

#define DELAY_S    0.5
#define PRINT_ROWS 20

static bool choose_view(const char *name, enum top_view *view, struct str *err)
{
	static const char *const names[TOP_VIEWS] = {
	    [TOP_SELF] = "self",     [TOP_TOTAL] = "total",   [TOP_GRAPH] = "",
	    [TOP_TREE] = "contexts", [TOP_GROUPS] = "groups", [TOP_THREADS] = "threads",
	    [TOP_FRAMES] = "frames",
	};
	for (int i = 0; i < TOP_VIEWS; i++)
		if (!name || !strcmp(name, names[i])) {
			*view = (enum top_view)i;
			return true;
		}
	return str_fail(err, "--view is self, total, contexts, groups, threads or frames, not '%s'",
			name);
}

static enum measure measure_of(const char *average)
{
	if (!average)
		return MEASURE_SHORT;
	return *average == 'a' ? MEASURE_ALL : (enum measure)(*average - '0');
}

/* The column of --sort; TOP_COLUMNS if it was not given. */
static enum top_column sort_of(enum filter_sort sort)
{
	switch (sort) {
	case FILTER_SORT_DEFAULT:
		return TOP_COLUMNS;
	case FILTER_SORT_SELF:
		return TOP_SELF_SHARE;
	case FILTER_SORT_CALLS:
		return TOP_CALLS;
	case FILTER_SORT_ERROR:
		return TOP_BAR;
	case FILTER_SORT_WAITED:
		return TOP_WAITED;
	case FILTER_SORT_NAME:
		return TOP_NAME;
	case FILTER_SORT_COUNTER:
		return TOP_COUNTER;
	default:
		return TOP_TOTAL_SHARE;
	}
}

/* Splits ARGV at `--`: behind it is a program. NULL: there is none. */
static char **part_program(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (!strcmp(argv[i], "--")) {
			char **program = argv + i + 1;
			argv[i] = NULL;
			*argc = i;
			return *program ? program : NULL;
		}
	return NULL;
}

static bool show(struct session_options *s, struct options *o, bool screen, struct str *err)
{
	if (screen)
		return session_screen(s, err);
	if (!o->filters.limit)
		o->filters.limit = PRINT_ROWS;
	return session_print(s, err);
}

/* Shows a process that runs, or PROGRAM. */
static bool top(struct options *o, char **program, struct str *err)
{
	struct live_process process = {0};
	struct live_program started = {.output = -1};
	struct session_options s = {.view = o,
				    .delay_s = o->delay_s > 0 ? o->delay_s : DELAY_S,
				    .batch = o->prints,
				    .measure = measure_of(o->average),
				    .sort = sort_of(o->filters.sort)};
	const char *word = o->path_count ? o->paths[0] : NULL;
	bool screen = !o->prints && screen_possible(), ok = choose_view(o->view, &s.first, err);
	if (ok && program)
		ok = live_program_start(&started, program, &process.path, err);
	else if (ok)
		ok = screen ? live_process_find(&process, word, err)
			    : live_process_one(&process, word, err);
	s.path = process.path;
	s.name = process.name;
	ok = ok && show(&s, o, screen, err);
	live_program_end(&started);
	live_process_free(&process);
	return ok;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_top;
	struct options o;
	struct str err = {0};
	char **program = part_program(&argc, argv);
	int status = command_options(&cmd_top, &o, argc, argv);
	if (status >= 0)
		return status;
	if (o.path_count > 1 || (o.path_count && program)) {
		str_fail(&err, "one process at a time, not '%s' too; see 'zprof help top'",
			 o.path_count > 1 ? o.paths[1] : program[0]);
		status = command_fail(EXIT_USAGE, &err);
	} else if (top(&o, program, &err)) {
		status = command_end();
	} else {
		status = command_fail(EXIT_FAILED, &err);
	}
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_top = {
    .name = "top",
    .synopsis = "[OPTION...] [PID|FILE|NAME]\n[OPTION...] -- PROGRAM [ARGUMENT...]",
    .summary = "what a running program does now, on a terminal",
    .options = OPTIONS_LIVE | OPTIONS_GROUPS | OPTIONS_TREE | OPTIONS_SELECT,
    .text =
	"Shows a process while it is being recorded, from the file that it counts in: nothing is "
	"attached to the process, and it is not stopped. The argument is the number of a process, "
	"an existing file, or the name of running processes, tried in this order. If several are "
	"being recorded, there is a list to choose from. With '--' it starts PROGRAM, and ends it "
	"when you leave the view; what PROGRAM prints is printed then.\n\n"
	"Keys: '?' lists them. Enter on a function shows its call graph: who calls it, what it costs "
	"on behalf of each, and what it calls. Backspace goes to the caller with the largest total. "
	"The rows are those of 'zprof report' and 'zprof graph', and the same sums hold.\n\n"
	"  calls/s     calls a second; with a decimal where it is a small average\n"
	"  %self       self, as a share of the time spent in functions\n"
	"  self/s      self time in a second; of several threads, it may be more\n"
	"  total/s     with all it called\n"
	"  waited/s    of self, what it waited for\n"
	"  self/call   self time of a call, on average, and '+-', its error\n"
	"  ^ v         it is called twice, or half, as often as in the last 15 s\n\n"
	"Numbers are of the last interval, a moving average, or all that was counted; 'a' goes "
	"from one to the next. An interval has few samples, so its times have wide errors; calls "
	"are exact in each. The numbers of a thread are those of one moment, to one event of a "
	"hook; if a thread counts too fast for that, the last line says how many calls they are "
	"apart.\n\n"
	"In a program with frames (see 'zprof help frames'), 'l' lists those that were kept, 'F' "
	"opens the slowest, and '[' and ']' go back and forward: every view then shows that frame "
	"alone. A number key leads back to now.\n\n"
	"'W' leaves the function or group under the cursor out from then on, and 'w' records it "
	"again, as 'zprof unwatch' and 'zprof watch' do: this alone reaches into the process.\n\n"
	"'z' sets counters to zero in the view alone. The program's own counters go on: to set "
	"them back, the program would have to wait, or calls would be lost. So the view remembers "
	"what they were. 'zprof reset' stores that in a file beside the profile, for every view "
	"that is opened later.\n\n"
	"When the process ends, its last numbers stay. On a terminal that shows no screens "
	"(TERM=dumb), and in a pipe, it prints the view again and again, until the process ends, "
	"or as often as --batch says.",
    .examples = "the process 4711\n"
		"    zprof top 4711\n"
		"a program, from its start\n"
		"    zprof top -- ./sim 2000\n"
		"twice what it did in the last second, for a script\n"
		"    zprof top --batch 2 --delay 1 --average 0 4711",
    .run = run,
};
