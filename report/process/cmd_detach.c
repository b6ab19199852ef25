/* SPDX-License-Identifier: MIT */
/* cmd_detach.c - `zprof detach`: ends what `zprof attach` has begun. */
#include "report/core/base/say.h"
#include "report/process/attach_wait.h"
#include "report/core/command/command.h"

static bool detach(const char *name, bool stopped, struct str *err)
{
	struct running r;
	struct str profile = {0};
	enum process_state state;
	bool ok = running_open(&r, name, err) && running_state(&r, &state, err);
	r.reach.stops = stopped;
	if (ok && state != PROCESS_RECORDING)
		ok = str_fail(err, "process %d is not being recorded", (int)r.pid);
	ok = ok && attach_request(&r, REQUEST_END, "", &profile, err);
	if (ok)
		say("process %d runs at its own speed again; its profile is '%s'", (int)r.pid,
		    str_text(&profile));
	running_close(&r);
	str_free(&profile);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	if (o->path_count != 1) {
		str_fail(err, "one process is needed: its number or its program's name; see "
			      "'zprof help detach'");
		return EXIT_USAGE;
	}
	attach_catch_interrupts();
	return detach(o->paths[0], own->stopped, err) ? EXIT_OK : EXIT_FAILED;
}

const struct command cmd_detach = {
    .name = "detach",
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .run = run,
};
