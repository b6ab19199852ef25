/* SPDX-License-Identifier: MIT */
/*
 * cmd_snapshot.c - `zprof snapshot`: a copy of a running process's profile, for any view; and `zprof
 * reset`: views of a running program count from such a copy on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "report/core/command/command.h"
#include "report/core/disk/file_rules.h"
#include "report/core/read/collect.h"
#include "report/core/read/profile_since.h"
#include "report/process/live_process.h"

/* Copies the profile at PATH to TO; with FORCE, TO may be a file of any kind. */
static bool copy(char *path, const char *to, bool anyone, bool force, struct str *err)
{
	struct collect c;
	if (!collect_open(&c, path, anyone, err))
		return false;
	bool ok = collect_take(&c, err) &&
		  file_may_write(&file_output_snapshot, to, &path, 1, force, err) &&
		  collect_save(&c, to, err);
	collect_close(&c);
	return ok;
}

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

/* Copies the profile at PATH. NAME becomes the name of the copy. */
static bool snapshot(const struct options *o, char *path, struct str *name, struct str *err)
{
	struct zprof_header header;
	if (!profile_peek(&header, path, err))
		return false;
	if (o->output)
		str_add(name, "%s", o->output);
	else
		choose_name(name, header.pid);
	return copy(path, name->text, o->force, o->force, err);
}

static bool reset(const struct options *o, char *path, struct str *name, struct str *err)
{
	char *base = profile_since_base(path);
	str_add(name, "%s", base);
	free(base);
	return copy(path, name->text, o->force, false, err);
}

static int run(struct options *o,
	       bool (*make)(const struct options *, char *, struct str *, struct str *),
	       struct str *err)
{
	struct live_process process;
	struct str name = {0};
	int status = EXIT_FAILED;
	if (o->path_count > 1) {
		str_fail(err, "one process at a time, not '%s' too", o->paths[1]);
		return EXIT_USAGE;
	}
	if (!live_process_one(&process, o->path_count ? o->paths[0] : NULL, err))
		return EXIT_FAILED;
	if (make(o, process.path, &name, err)) {
		printf("%s\n", name.text);
		status = command_end();
	}
	live_process_free(&process);
	str_free(&name);
	return status;
}

static int run_snapshot(struct options *o, struct str *err)
{
	return run(o, snapshot, err);
}

static int run_reset(struct options *o, struct str *err)
{
	return run(o, reset, err);
}

static const struct option_spec snapshot_options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_output),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

static const struct option_spec reset_options[] = {
    OPTIONS_OF(options_force),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_snapshot = {
    .name = "snapshot",
    .options = snapshot_options,
    .run = run_snapshot,
};

const struct command cmd_reset = {
    .name = "reset",
    .options = reset_options,
    .run = run_reset,
};
