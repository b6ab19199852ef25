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
    OPTIONS_OF(options_recursion),
    OPTIONS_OF(options_raw),
    OPTIONS_OF(options_full_names),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_html = {
    .name = "html",
    .synopsis = "[OPTION...] [-o FILE] [FILE|FOLDER...]",
    .summary = "the profile as one page for a browser, which needs no network",
    .options = options,
    .own_size = sizeof(struct html_options),
    .text = "Writes one file, '" DEFAULT_FILE "' unless -o names another ('-' is stdout), that a "
	    "browser shows without a network: the functions, the call graph block by block, a "
	    "flame graph of the contexts, and the source.\n\n"
	    "Click a function to see its callers and callees, and click one of those to go on; the "
	    "browser's back and forward buttons work. In the flame graph, click a frame to make it "
	    "as wide as the page. Keys: 1 to 4 choose a view, / searches, arrows move, Enter "
	    "opens, ? lists the others.\n\n"
	    "The texts of source files that can be read are part of the page, up to a megabyte; "
	    "with --no-sources they are not. A page from somebody else's profile can run nothing "
	    "and fetch nothing.",
    .examples = "see the newest run\n"
		"    zprof html && xdg-open zprof.html",
    .run = run,
};
