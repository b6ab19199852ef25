/* SPDX-License-Identifier: MIT */
/* cmd_top.c - `zprof top`: the live view of a running process. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/command/command.h"
#include "report/core/disk/process_state.h"
#include "report/process/live_process.h"
#include "report/top/first_view.h"
#include "report/top/screen.h"
#include "report/top/session.h"

#define DELAY_S    0.5
#define PRINT_ROWS 20

struct top_options {
	size_t prints;  /* how often to print, without a screen; 0: not given */
	double delay_s; /* from one reading to the next; 0: not given */
	const char *view, *average;
};

static enum measure measure_of(const char *average)
{
	if (!average)
		return MEASURE_SHORT;
	return *average == 'a' ? MEASURE_ALL : (enum measure)(*average - '0');
}

static bool show(struct session_options *s, bool screen, struct str *err)
{
	if (screen)
		return session_screen(s, err);
	if (!s->view->filters.limit)
		s->view->filters.limit = PRINT_ROWS;
	return session_print(s, err);
}

/* Whether the profile at PATH goes on no more. False as well if it cannot be read. */
static bool has_ended(const char *path, const struct options *o)
{
	struct profile p;
	struct str err = {0};
	bool ended = profile_load(&p, path, o->force, &err);
	if (ended) {
		ended = !process_state_runs(process_state_of(&p));
		profile_free(&p);
	}
	str_free(&err);
	return ended;
}

/* Shows a process that runs, or the program of O. */
static bool top(struct options *o, struct str *err)
{
	const struct top_options *own = o->own;
	struct live_process process = {0};
	struct live_program started = {.output = -1};
	struct session_options s = {.view = o,
				    .delay_s = own->delay_s > 0 ? own->delay_s : DELAY_S,
				    .batch = own->prints,
				    .measure = measure_of(own->average),
				    .sort = first_view_sort(o->filters.sort)};
	const char *word = o->path_count ? o->paths[0] : NULL;
	bool screen = !own->prints && screen_possible(),
	     ok = first_view_of(own->view, false, &s.first, err);
	if (ok && o->program)
		ok = live_program_start(&started, o->program, &process.path, err);
	else if (ok)
		ok = screen ? live_process_find(&process, word, err)
			    : live_process_one(&process, word, err);
	s.path = process.path;
	s.name = process.name;
	/* A profile whose process has ended has no rates: that is what 'zprof view' is for. */
	s.finished = ok && screen && o->path_count && process.path && has_ended(process.path, o);
	ok = ok && show(&s, screen, err);
	live_program_end(&started);
	live_process_free(&process);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	if (o->path_count > 1 || (o->path_count && o->program)) {
		str_fail(err, "one process at a time, not '%s' too; see 'zprof help top'",
			 o->path_count > 1 ? o->paths[1] : o->program[0]);
		return EXIT_USAGE;
	}
	return top(o, err) ? command_end() : EXIT_FAILED;
}

static bool take_batch(struct options *o, const char *value, struct str *err)
{
	struct top_options *own = o->own;
	return (own->prints = options_count("--batch is a number of prints", value, err));
}

static bool take_delay(struct options *o, const char *value, struct str *err)
{
	struct top_options *own = o->own;
	char *end;
	own->delay_s = strtod(value, &end);
	if (end == value || *end || !(own->delay_s >= 0.05 && own->delay_s <= 3600))
		return str_fail(err, "--delay is in seconds, from 0.05 to 3600, not '%s'", value);
	return true;
}

static bool take_average(struct options *o, const char *value, struct str *err)
{
	struct top_options *own = o->own;
	if (strcmp(value, "all") && (strlen(value) != 1 || *value < '0' || *value > '2'))
		return str_fail(err, "--average is 0, 1, 2 or all, not '%s'", value);
	own->average = value;
	return true;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    {'b', "batch", "N", "Output", OPTION_TAKE(take_batch),
     "print N times what the screen would show, and end; 20 rows, or as many as --limit says"},
    {'d', "delay", "SECONDS", NULL, OPTION_TAKE(take_delay),
     "from one reading to the next; the default is 0.5"},
    {0, "view", "NAME", NULL,
     OPTION_OWN_WORD(top_options, view, "self total contexts groups threads frames"),
     "begin with self, total, contexts, groups, threads or frames; the default is self"},
    {0, "average", "N", NULL, OPTION_TAKE_WORD(take_average, "0 1 2 all"),
     "begin with the last interval (0), a moving average of 2 s (1, the default) or 15 s (2), or "
     "with all that was counted"},
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_screen),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_top = {
    .name = "top",
    .options = options,
    .words = WORDS_OR_PROGRAM,
    .own_size = sizeof(struct top_options),
    .run = run,
    .cpu_first = true,
};
