/* SPDX-License-Identifier: MIT */
/* cmd_html.c - `zprof html`: the profile as one page for a browser. */
#include <stdio.h>
#include <string.h>

#include "report/core/base/replace.h"
#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/html/page.h"

#define DEFAULT_FILE "zprof.html"

struct html_options {
	bool no_sources;
};

static int run(struct options *o, struct str *err)
{
	const struct html_options *own = o->own;
	struct view v;
	struct replacement out;
	const char *path = o->output ? o->output : DEFAULT_FILE;
	bool to_stdout = !strcmp(path, "-");
	o->no_pager = true;
	if (!view_open(&v, o, err))
		return EXIT_FAILED;
	bool ok = (to_stdout || view_may_write(&v, &page_output, path, err)) &&
		  replace_begin(&out, to_stdout ? NULL : path, 0666, err);
	if (ok) {
		page_write(out.to, &v, !own->no_sources);
		ok = replace_end(&out, err);
	}
	view_close(&v);
	if (ok && !to_stdout)
		say("the page is in '%s'", path);
	return ok ? command_end() : EXIT_FAILED;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_contexts),
    OPTIONS_OF(options_output),
    {0, "no-sources", NULL, NULL, OPTION_OWN_FLAG(html_options, no_sources),
     "leave the texts of source files out"},
    OPTIONS_OF(options_source_path),
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_time),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_below),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_html = {
    .name = "html",
    .options = options,
    .own_size = sizeof(struct html_options),
    .run = run,
    .cpu_first = true,
};
