/* SPDX-License-Identifier: MIT */
/* cmd_sleep.c - `zprof sleep`: switches a program's hooks off in its file. */
#include "report/core/base/say.h"
#include "report/core/base/units.h"
#include "report/core/command/command.h"
#include "report/process/sleep_file.h"

static int run(int argc, char **argv)
{
	extern const struct command cmd_sleep;
	struct options o;
	struct str err = {0};
	int status = command_options(&cmd_sleep, &o, argc, argv);
	if (status >= 0)
		return status;
	status = EXIT_OK;
	if (!o.path_count)
		status = command_fail(EXIT_USAGE,
				      (str_fail(&err, "no file; see 'zprof help sleep'"), &err));
	for (size_t i = 0; i < o.path_count && status == EXIT_OK; i++) {
		char text[UNITS_TEXT];
		size_t sites;
		if (!sleep_file(o.paths[i], true, &sites, &err))
			status = command_fail(EXIT_FAILED, &err);
		else if (!sites)
			say("'%s' sleeps already", o.paths[i]);
		else
			say("'%s': %s calls of hooks switched off", o.paths[i],
			    units_count(text, sites));
	}
	options_free(&o);
	str_free(&err);
	return status;
}

const struct command cmd_sleep = {
    .name = "sleep",
    .synopsis = "FILE...",
    .summary = "switch off the hooks in a program's file",
    .options = OPTIONS_HELP,
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
