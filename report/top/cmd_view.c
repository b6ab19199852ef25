/* SPDX-License-Identifier: MIT */
/* cmd_view.c - `zprof view`: a finished profile on a terminal. */
#include "report/core/command/command.h"
#include "report/core/view/view.h"
#include "report/top/first_view.h"
#include "report/top/screen.h"
#include "report/top/session.h"

#define PRINT_ROWS 20

struct view_options {
	const char *view;
};

static int run(struct options *o, struct str *err)
{
	const struct view_options *own = o->own;
	struct session_options s = {.view = o,
				    .finished = true,
				    .measure = MEASURE_ALL,
				    .sort = first_view_sort(o->filters.sort)};
	if (!first_view_of(own->view, true, &s.first, err))
		return EXIT_USAGE;
	if (screen_possible())
		return session_screen(&s, err) ? command_end() : EXIT_FAILED;
	if (!o->filters.limit)
		o->filters.limit = PRINT_ROWS;
	return session_print(&s, err) ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    {0, "view", "NAME", OPTIONS_VIEW,
     OPTION_OWN_WORD(view_options, view, "self total callers contexts groups threads frames"),
     "begin with self, total, callers, contexts, groups, threads or frames; the default is self"},
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_select),
    OPTIONS_OF(options_contexts),
    OPTIONS_OF(options_source_path),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_screen),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_view = {
    .name = "view",
    .options = options,
    .own_size = sizeof(struct view_options),
    .run = run,
    .cpu_first = true,
};
