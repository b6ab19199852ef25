/* SPDX-License-Identifier: MIT */
/* cmd_attach.c - `zprof attach`: begins to record a running program. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/say.h"
#include "report/process/attach_wait.h"
#include "report/core/command/command.h"

static bool take_for(struct options *o, const char *value, struct str *err)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
	struct attach_options *own = o->own;
	char *end;
	double number = strtod(value, &end);
	own->seconds = 0;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (end != value && !strcmp(end, units[i].name))
			own->seconds = number * units[i].seconds;
	return (own->seconds > 0 && own->seconds < 1e9) ||
	       str_fail(err, "--for takes a time such as 10s or 2m");
}

/* Adds a value to the options. As in ZPROF_OPTIONS, a comma ends a value, so one inside is
 * escaped. */
static void add_value(struct str *options, const char *value)
{
	for (; *value; value++)
		str_add(options, *value == ',' ? "\\%c" : "%c", *value);
}

/* Composes the options of the recording. The process itself makes the profile: in our folder,
 * unless that is another user's, or the process knows that folder by another name. */
static void compose(const struct options *o, const struct running *r, struct str *options)
{
	char folder[PATH_MAX];
	const struct attach_options *own = o->own;
	const char *output = o->output ? o->output : "zprof.out.%p";
	str_add(options, "output=");
	if (*output != '/' && r->same_user && r->same_files && getcwd(folder, sizeof folder)) {
		add_value(options, folder);
		str_add(options, "/");
	}
	add_value(options, output);
	if (own->only) {
		str_add(options, ",only=");
		add_value(options, own->only);
	}
}

static bool may_begin(struct running *r, const struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	enum process_state state;
	if (!running_state(r, &state, err))
		return false;
	if (state == PROCESS_RECORDING && !running_is_paused(r))
		return str_fail(err,
				"process %d is being recorded already; 'zprof detach %d' ends it",
				(int)r->pid, (int)r->pid);
	if (state != PROCESS_UNBEGUN && (own->only || o->output))
		return str_fail(
		    err,
		    "process %d has begun a profile, and its next recording goes there: "
		    "%s cannot be changed",
		    (int)r->pid, own->only ? "--only" : "--output");
	return true;
}

/* Ends the recording after the given time. The program may end earlier; its recording then ends
 * too. */
static bool end_later(double seconds, struct running *r, struct str *err)
{
	struct str profile = {0};
	attach_sleep(r, seconds);
	bool ok = attach_request(r, REQUEST_END, "", &profile, err),
	     gone = !ok && attach_has_gone(r);
	if (gone) {
		say("process %d has ended; it was recorded until then", (int)r->pid);
		str_clear(err);
	}
	str_free(&profile);
	return ok || gone;
}

static bool attach(const struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	struct running r;
	struct str options = {0}, profile = {0};
	bool ok = running_open(&r, o->paths[0], err) && may_begin(&r, o, err);
	r.reach.stops = own->stopped;
	if (ok) {
		compose(o, &r, &options);
		ok = attach_request(&r, REQUEST_BEGIN, str_text(&options), &profile, err);
	}
	if (ok && own->seconds > 0) {
		say("recording process %d into '%s'", (int)r.pid, str_text(&profile));
		ok = end_later(own->seconds, &r, err);
	} else if (ok) {
		say("recording process %d into '%s' until 'zprof detach %d'", (int)r.pid,
		    str_text(&profile), (int)r.pid);
	}
	running_close(&r);
	str_free(&options);
	str_free(&profile);
	return ok;
}

static int run(struct options *o, struct str *err)
{
	if (o->path_count == 1) {
		attach_catch_interrupts();
		return attach(o, err) ? EXIT_OK : EXIT_FAILED;
	}
	if (o->path_count)
		str_add(err, "one process at a time, not '%s' too", o->paths[1]);
	else
		str_add(err, "no process: give its number or its program's name");
	str_add(err, "; see 'zprof help attach'");
	return EXIT_USAGE;
}

static const struct option_spec options[] = {
    {0, "for", "TIME", NULL, OPTION_TAKE(take_for),
     "record for this time (10s, 2m), then switch the hooks off again; Ctrl-C ends it earlier"},
    {0, "only", "PATTERN", NULL, OPTION_OWN_WORD(attach_options, only, OPTION_FUNCTIONS),
     "record only functions that match, as 'zprof record --only' does"},
    {'o', "output", "PATTERN", NULL, OPTION_TEXT(output),
     "the profile's file, as for 'zprof record'; zprof.out.%p in this folder when not given"},
    OPTIONS_OF(attach_option_stopped),
    {'h', "help", NULL, NULL, OPTION_HELP, "this text"},
    OPTIONS_END,
};

const struct command cmd_attach = {
    .name = "attach",
    .options = options,
    .own_size = sizeof(struct attach_options),
    .run = run,
};
