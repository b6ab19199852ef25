/* SPDX-License-Identifier: MIT */
/* choose_command.c - see choose_command.h. */
#include "report/process/choose_command.h"

#include "report/core/base/say.h"
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

int choose_command(const char *self, enum request_what what, struct options *o, struct str *err)
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
