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
			say("'%s': %s calls of hooks switched off", o->paths[i],
			    units_count(text, sites));
	}
	return EXIT_OK;
}

const struct command cmd_sleep = {
    .name = "sleep",
    .synopsis = "FILE...",
    .summary = "switch off the hooks in a program's file",
    .options = options_help,
    .text = "For release builds: a build with hooks runs at its own speed until it is recorded, "
	    "and no copy without hooks is needed. In each file, a program or a shared library, one "
	    "byte changes at each call of a hook, and 'zprof wake' undoes it exactly. Neither the "
	    "build-id nor a length changes, so symbols and debug information in other files still "
	    "belong to the file. If you sign the file, do so afterwards.\n\n"
	    "A sleeping program is recorded like any other: libzprof.so wakes it when it starts, "
	    "if it is preloaded or ZPROF_OPTIONS is set.\n\n"
	    "With -mfentry what remains is a nop or two in each function. With "
	    "-finstrument-functions the program still prepares the arguments of its hooks.",
    .examples = "a release build that can be profiled where it runs\n"
		"    gcc -O2 $(zprof cflags --release) prog.c -o prog\n"
		"    zprof sleep prog\n"
		"    zprof record ./prog",
    .run = run,
};
