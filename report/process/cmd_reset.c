/* SPDX-License-Identifier: MIT */
/* cmd_reset.c - `zprof reset`: views of a running program count from zero. */
#include <stdio.h>
#include <stdlib.h>

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
    .options = options,
    .run = run,
};
