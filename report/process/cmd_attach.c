/* SPDX-License-Identifier: MIT */
/* cmd_attach.c - `zprof attach`: begins to record a running program. */
#include <stdlib.h>
#include <string.h>

#include "report/core/base/say.h"
#include "report/core/command/command.h"
#include "report/process/attach_more.h"
#include "report/process/attach_record.h"

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

static bool attach(const struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	struct attach_wish wish = {.only = own->only, .output = o->output, .stopped = own->stopped};
	struct running r;
	struct str profile = {0};
	bool ok =
	    running_open(&r, o->paths[0], err) && attach_record_begin(&r, &wish, &profile, err);
	if (ok && own->seconds > 0) {
		say("recording process %d into '%s'", (int)r.pid, str_text(&profile));
		ok = attach_record_end(&r, own->seconds, err);
	} else if (ok) {
		say("recording process %d into '%s' until 'zprof detach %d'", (int)r.pid,
		    str_text(&profile), (int)r.pid);
	}
	running_close(&r);
	str_free(&profile);
	return ok;
}

static void free_own(void *own)
{
	free(((struct attach_options *)own)->given);
}

static int run(struct options *o, struct str *err)
{
	const struct attach_options *own = o->own;
	if (own->more)
		return own->more->run(own->given, o, err);
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
    OPTIONS_OF_EACH(attach_more_options_at),
    OPTIONS_END,
};

const struct command cmd_attach = {
    .name = "attach",
    .options = options,
    .own_size = sizeof(struct attach_options),
    .free_own = free_own,
    .run = run,
};
