/* SPDX-License-Identifier: MIT */
/*
 * cmd_watch.c - `zprof watch` and `zprof unwatch`: functions of a running program are recorded
 * again, or not any more.
 */
#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/process/attach_wait.h"
#include "report/process/choose.h"

static bool choose(const char *process, enum request_what what, const char *patterns, bool stopped,
		   struct str *err)
{
	struct running r;
	struct str profile = {0}, text = {0};
	bool ok = running_open(&r, process, err) && choose_may(&r, err);
	r.reach.stops = stopped;
	ok = ok && attach_request(&r, what, patterns, &profile, err);
	if (ok) {
		choose_describe(&text, &r, what, patterns);
		say("%s", str_text(&text));
	}
	running_close(&r);
	str_free(&profile);
	str_free(&text);
	return ok;
}

/* Takes PROCESS PATTERN... from the words, asks the process, waits, and prints the result. SELF is
 * the command's name. */
static int run(const char *self, enum request_what what, struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	struct str patterns = {0};
	bool ok = o->path_count >= 2 || str_fail(err, "a process and a pattern are needed");
	int status = EXIT_USAGE;
	for (size_t i = 1; ok && i < o->path_count; i++)
		ok = choose_add(&patterns, o->paths[i], err);
	if (!ok) {
		str_add(err, "; see 'zprof help %s'", self);
	} else {
		attach_catch_interrupts();
		ok = choose(o->paths[0], what, str_text(&patterns), own->stopped, err);
		status = ok ? EXIT_OK : EXIT_FAILED;
	}
	str_free(&patterns);
	return status;
}

static int run_watch(struct options *o, struct str *err)
{
	return run("watch", REQUEST_WATCH, o, err);
}

static int run_unwatch(struct options *o, struct str *err)
{
	return run("unwatch", REQUEST_UNWATCH, o, err);
}

const struct command cmd_watch = {
    .name = "watch",
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .run = run_watch,
};

const struct command cmd_unwatch = {
    .name = "unwatch",
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .run = run_unwatch,
};
