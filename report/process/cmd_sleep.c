/* SPDX-License-Identifier: MIT */
/*
 * cmd_sleep.c - `zprof sleep` switches a program's hooks off in its file, and `zprof wake` switches
 * them on again.
 */
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/process/sleep_file.h"

static int run(bool asleep, struct options *o, struct str *err)
{
	char text[UNITS_TEXT];
	size_t sites;
	if (!o->path_count) {
		str_fail(err, "no file; see 'zprof help %s'", asleep ? "sleep" : "wake");
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < o->path_count; i++) {
		if (!sleep_file(o->paths[i], asleep, &sites, err))
			return EXIT_FAILED;
		if (!sites)
			say("'%s' %s already", o->paths[i], asleep ? "sleeps" : "is awake");
		else
			say("'%s': %s calls of hooks switched %s", o->paths[i],
			    units_count(text, sites), asleep ? "off" : "on");
	}
	return EXIT_OK;
}

static int run_sleep(struct options *o, struct str *err)
{
	return run(true, o, err);
}

static int run_wake(struct options *o, struct str *err)
{
	return run(false, o, err);
}

const struct command cmd_sleep = {
    .name = "sleep",
    .options = options_help,
    .run = run_sleep,
};

const struct command cmd_wake = {
    .name = "wake",
    .options = options_help,
    .run = run_wake,
};
