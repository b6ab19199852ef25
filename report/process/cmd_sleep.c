/* SPDX-License-Identifier: MIT */
/* cmd_sleep.c - `zprof sleep`: switches a program's hooks off in its file. */
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/process/sleep_file.h"

static int run(struct options *o, struct str *err)
{
	char text[UNITS_TEXT];
	size_t sites;
	if (!o->path_count) {
		str_fail(err, "no file; see 'zprof help sleep'");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < o->path_count; i++) {
		if (!sleep_file(o->paths[i], true, &sites, err))
			return EXIT_FAILED;
		if (!sites)
			say("'%s' sleeps already", o->paths[i]);
		else
			say("'%s': %s of hooks switched off", o->paths[i],
			    units_of(text, sites, "call"));
	}
	return EXIT_OK;
}

const struct command cmd_sleep = {
    .name = "sleep",
    .options = options_help,
    .run = run,
};
