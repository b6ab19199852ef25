/* SPDX-License-Identifier: MIT */
/* cmd_wake.c - `zprof wake`: undoes zprof sleep. */
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/process/sleep_file.h"

static int run(struct options *o, struct str *err)
{
	char text[UNITS_TEXT];
	size_t sites;
	if (!o->path_count) {
		str_fail(err, "no file; see 'zprof help wake'");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < o->path_count; i++) {
		if (!sleep_file(o->paths[i], false, &sites, err))
			return EXIT_FAILED;
		if (!sites)
			say("'%s' is awake already", o->paths[i]);
		else
			say("'%s': %s of hooks switched on", o->paths[i],
			    units_of(text, sites, "call"));
	}
	return EXIT_OK;
}

const struct command cmd_wake = {
    .name = "wake",
    .options = options_help,
    .run = run,
};
