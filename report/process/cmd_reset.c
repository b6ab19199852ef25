/* SPDX-License-Identifier: MIT */
/* cmd_reset.c - `zprof reset`: views of a running program count from zero. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/command/command.h"
#include "report/process/live_process.h"
#include "report/core/disk/file_rules.h"
#include "report/core/read/collect.h"
#include "report/core/read/profile_since.h"

static bool reset(struct options *o, char **base, struct str *err)
{
	struct live_process process;
	struct collect c;
	if (!live_process_one(&process, o->path_count ? o->paths[0] : NULL, err))
		return false;
	*base = profile_since_base(process.path);
	bool ok = collect_open(&c, process.path, o->force, err);
	if (ok) {
		ok = collect_take(&c, err) &&
		     file_may_write(&file_output_snapshot, *base, &process.path, 1, false, err) &&
		     collect_save(&c, *base, err);
		collect_close(&c);
	}
	live_process_free(&process);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	char *base = NULL;
	int status = EXIT_FAILED;
	if (o->path_count > 1) {
		str_fail(err, "one process at a time, not '%s' too", o->paths[1]);
		return EXIT_USAGE;
	}
	if (reset(o, &base, err)) {
		printf("%s\n", base);
		status = command_end();
	}
	free(base);
	return status;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_reset = {
    .name = "reset",
    .synopsis = "[OPTION...] [PID|FILE|NAME]",
    .summary = "let views of a running program count from zero",
    .options = options,
    .text =
	"Writes what a process has counted so far into 'PROFILE.base', beside its profile, and "
	"prints that name. 'zprof top' then shows what came after, and so does any view with "
	"--since reset. The process does not notice, and its profile still holds everything: the "
	"program's own counters are never set back, because the program would have to wait for "
	"that, or calls would be lost. Remove the file to undo this.",
    .examples = "begin at zero, then look\n"
		"    zprof reset 4711; zprof top --average all 4711\n"
		"the call graph of the next ten seconds\n"
		"    zprof reset 4711; sleep 10; zprof graph --since reset zprof.out.4711",
    .run = run,
};
