/* SPDX-License-Identifier: MIT */
/* cmd_snapshot.c - `zprof snapshot`: a copy of a running process's profile, for any view. */
#include <stdio.h>
#include <unistd.h>

#include "report/core/command/command.h"
#include "report/process/live_process.h"
#include "report/core/disk/file_rules.h"
#include "report/core/read/collect.h"
#include "report/core/read/profile_read.h"

/* Finds a name that no file has: zprof.snapshot.4711, else with .2, .3 and so on at its end. */
static void choose_name(struct str *name, unsigned pid)
{
	for (unsigned i = 1;; i++) {
		str_clear(name);
		str_add(name, i == 1 ? "zprof.snapshot.%u" : "zprof.snapshot.%u.%u", pid, i);
		if (access(name->text, F_OK))
			return;
	}
}

static bool snapshot(struct options *o, struct str *name, struct str *err)
{
	struct live_process process;
	struct zprof_header header;
	struct collect c;
	if (!live_process_one(&process, o->path_count ? o->paths[0] : NULL, err))
		return false;
	bool ok = profile_peek(&header, process.path, err) &&
		  collect_open(&c, process.path, o->force, err);
	if (ok) {
		ok = collect_take(&c, err);
		if (o->output)
			str_add(name, "%s", o->output);
		else
			choose_name(name, header.pid);
		ok = ok &&
		     file_may_write(&file_output_snapshot, name->text, &process.path, 1, o->force,
				    err) &&
		     collect_save(&c, name->text, err);
		collect_close(&c);
	}
	live_process_free(&process);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	struct str name = {0};
	int status = EXIT_FAILED;
	if (o->path_count > 1) {
		str_fail(err, "one process at a time, not '%s' too", o->paths[1]);
		return EXIT_USAGE;
	}
	if (snapshot(o, &name, err)) {
		printf("%s\n", name.text);
		status = command_end();
	}
	str_free(&name);
	return status;
}

static const struct option_spec options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_output),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_snapshot = {
    .name = "snapshot",
    .options = options,
    .run = run,
};
