/* SPDX-License-Identifier: MIT */
/* cmd_wake.c - `zprof wake`: undoes zprof sleep. */
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/process/sleep_file.h"

static int run(int argc, char **argv)
{
	extern const struct command cmd_wake;
	struct options o;
	struct str err = {0};
	int status = command_options(&cmd_wake, &o, argc, argv);
	if (status >= 0)
		return status;
	status = EXIT_OK;
	if (!o.path_count)
		status = command_fail(EXIT_USAGE,
				      (str_fail(&err, "no file; see 'zprof help wake'"), &err));
	for (size_t i = 0; i < o.path_count && status == EXIT_OK; i++) {
		char text[UNITS_TEXT];
		size_t sites;
		if (!sleep_file(o.paths[i], false, &sites, &err))
			status = command_fail(EXIT_FAILED, &err);
		else if (!sites)
			say("'%s' is awake already", o.paths[i]);
		else
			say("'%s': %s calls of hooks switched on", o.paths[i],
			    units_count(text, sites));
	}
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_wake = {
    .name = "wake",
    .synopsis = "FILE...",
    .summary = "undo 'zprof sleep'",
    .options = OPTIONS_HELP,
    .text = "The file is then what it was, byte for byte.",
    .run = run,
};
