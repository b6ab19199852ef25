/* SPDX-License-Identifier: MIT */
/* cmd_push.c - `zprof push`: sends profiles to a receiver that keeps those of many machines. */

#include "report/core/command/command.h"
#include "report/core/disk/find_files.h"
#include "report/fleet/push.h"
#include "report/fleet/push_options.h"

static bool send_files(const struct options *o, const struct push_options *own,
		       struct find_files *files, struct str *err)
{
	struct push p;
	struct receiver_options to = own->receiver;
	to.url = o->paths[0];
	if (!push_open(&p, &to, err))
		return false;
	bool ok = push_options_labels(own, &p.labels, err);
	for (size_t i = 0; ok && i < files->count; i++)
		push_file(&p, files->paths[i], 0, o->force);
	ok = ok && push_say(&p);
	push_close(&p);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	struct find_files files = {0};
	if (!o->path_count) {
		str_fail(err, "no receiver: give its address; see 'zprof help push'");
		return EXIT_USAGE;
	}
	bool ok =
	    find_files_asked(&files, o->paths + 1, o->path_count - 1, o->force, o->run, err) &&
	    send_files(o, o->own, &files, err);
	find_files_free(&files);
	return ok ? EXIT_OK : EXIT_FAILED;
}

static const struct option_spec options[] = {
    OPTIONS_OF(push_options),
    OPTIONS_OF(options_profiles),
    OPTIONS_OF(options_help),
    OPTIONS_END,
};

const struct command cmd_push = {
    .name = "push",
    .options = options,
    .own_size = sizeof(struct push_options),
    .free_own = push_options_free,
    .run = run,
};
