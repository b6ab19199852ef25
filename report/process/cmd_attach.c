/* SPDX-License-Identifier: MIT */
/* cmd_attach.c - `zprof attach`: begins to record a running program. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/say.h"
#include "report/process/attach_wait.h"
#include "report/core/command/command.h"
#include "report/core/command/help_text.h"

struct asked {
	const char *name, *only, *output;
	double seconds; /* 0: until `zprof detach` */
	bool help, stopped;
};

static bool take_seconds(const char *value, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
	char *end;
	*seconds = strtod(value, &end);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (end != value && !strcmp(end, units[i].name)) {
			*seconds *= units[i].seconds;
			return *seconds > 0 && *seconds < 1e9;
		}
	return false;
}

/* `--NAME VALUE` or `--NAME=VALUE`; true: it is that option; *VALUE is NULL if the value is
 * missing. */
static bool is_option(const char *name, int argc, char **argv, int *i, const char **value)
{
	size_t n = strlen(name);
	if (strncmp(argv[*i], name, n) || (argv[*i][n] && argv[*i][n] != '='))
		return false;
	if (argv[*i][n])
		*value = argv[*i] + n + 1;
	else
		*value = *i + 1 < argc ? argv[++*i] : NULL;
	return true;
}

static bool parse(struct asked *a, int argc, char **argv, struct str *err)
{
	*a = (struct asked){.stopped = attach_take_stopped(&argc, argv)};
	for (int i = 1; i < argc; i++) {
		const char *value, *option = argv[i];
		if (!strcmp(option, "-h") || !strcmp(option, "--help")) {
			a->help = true;
			return true;
		}
		if (is_option("--for", argc, argv, &i, &value)) {
			if (!value || !take_seconds(value, &a->seconds))
				return str_fail(err, "--for takes a time such as 10s or 2m");
		} else if (is_option("--only", argc, argv, &i, &value)) {
			if (!(a->only = value))
				return str_fail(err, "--only takes a pattern");
		} else if (is_option("--output", argc, argv, &i, &value) ||
			   is_option("-o", argc, argv, &i, &value)) {
			if (!(a->output = value))
				return str_fail(err, "--output takes a file");
		} else if (*option == '-') {
			return str_fail(err, "unknown option '%s'", option);
		} else if (a->name) {
			return str_fail(err, "one process at a time, not '%s' too", option);
		} else {
			a->name = option;
		}
	}
	return a->name || str_fail(err, "no process: give its number or its program's name");
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
static void compose(const struct asked *a, const struct running *r, struct str *options)
{
	char folder[PATH_MAX];
	const char *output = a->output ? a->output : "zprof.out.%p";
	str_add(options, "output=");
	if (*output != '/' && r->same_user && r->same_files && getcwd(folder, sizeof folder)) {
		add_value(options, folder);
		str_add(options, "/");
	}
	add_value(options, output);
	if (a->only) {
		str_add(options, ",only=");
		add_value(options, a->only);
	}
}

static bool may_begin(struct running *r, const struct asked *a, struct str *err)
{
	enum process_state state;
	if (!running_state(r, &state, err))
		return false;
	if (state == PROCESS_RECORDING && !running_is_paused(r))
		return str_fail(err,
				"process %d is being recorded already; 'zprof detach %d' ends it",
				(int)r->pid, (int)r->pid);
	if (state != PROCESS_UNBEGUN && (a->only || a->output))
		return str_fail(
		    err,
		    "process %d has begun a profile, and its next recording goes there: "
		    "%s cannot be changed",
		    (int)r->pid, a->only ? "--only" : "--output");
	return true;
}

/* Ends the recording after the given time. The program may end earlier; its recording then ends
 * too. */
static bool end_later(const struct asked *a, struct running *r, struct str *err)
{
	struct str profile = {0};
	attach_sleep(r, a->seconds);
	bool ok = attach_request(r, REQUEST_END, "", &profile, err),
	     gone = !ok && attach_has_gone(r);
	if (gone) {
		say("process %d has ended; it was recorded until then", (int)r->pid);
		str_clear(err);
	}
	str_free(&profile);
	return ok || gone;
}

static bool attach(const struct asked *a, struct str *err)
{
	struct running r;
	struct str options = {0}, profile = {0};
	bool ok = running_open(&r, a->name, err) && may_begin(&r, a, err);
	r.reach.stops = a->stopped;
	if (ok) {
		compose(a, &r, &options);
		ok = attach_request(&r, REQUEST_BEGIN, str_text(&options), &profile, err);
	}
	if (ok && a->seconds > 0) {
		say("recording process %d into '%s'", (int)r.pid, str_text(&profile));
		ok = end_later(a, &r, err);
	} else if (ok) {
		say("recording process %d into '%s' until 'zprof detach %d'", (int)r.pid,
		    str_text(&profile), (int)r.pid);
	}
	running_close(&r);
	str_free(&options);
	str_free(&profile);
	return ok;
}

static int run(int argc, char **argv)
{
	extern const struct command cmd_attach;
	struct asked a;
	struct str err = {0};
	int status = EXIT_OK;
	if (!parse(&a, argc, argv, &err)) {
		str_add(&err, "; see 'zprof help attach'");
		status = command_fail(EXIT_USAGE, &err);
	} else if (a.help) {
		help_command(&cmd_attach);
		status = command_end();
	} else {
		attach_catch_interrupts();
		if (!attach(&a, &err))
			status = command_fail(EXIT_FAILED, &err);
	}
	str_free(&err);
	return status;
}

static void own_options(void)
{
	help_option(0, "for", "TIME",
		    "record for this time (10s, 2m), then switch the hooks off again; Ctrl-C ends "
		    "it earlier");
	help_option(0, "only", "PATTERN",
		    "record only functions that match, as 'zprof record --only' does");
	help_option(
	    'o', "output", "PATTERN",
	    "the profile's file, as for 'zprof record'; zprof.out.%p in this folder when not "
	    "given");
	attach_help_stopped();
	help_option('h', "help", NULL, "this text");
}

const struct command cmd_attach = {
    .name = "attach",
    .synopsis = "[--for TIME] [--only PATTERN] [-o PATTERN] [--stopped] PID|NAME",
    .summary = "begin to record a running program",
    .own_options = own_options,
    .text =
	"The program is one that was built with the flags of 'zprof cflags --release' and so runs "
	"with libzprof.so. It may have been put to sleep by 'zprof sleep', or be in a pause "
	"(--start=off). It is not stopped: one byte changes at the beginning of each function, and "
	"the program's next call of a function does the rest. A call that began before that is not "
	"counted; the report says how many such calls it saw return.\n\n"
	"Without --for, 'zprof detach' ends it. The program then runs at its own speed again, and "
	"can be attached to again: that begins another recording in the same profile. Reports add "
	"recordings up; --recording N shows one, and 'zprof info' lists them.\n\n"
	"No processor's manual promises that a byte of code may be stored while another thread runs "
	"there, though we know of none where that fails. With --stopped, ptrace stops all threads for "
	"each batch of bytes. No system call fails because of it; those that a stop signal would end "
	"with EINTR (see signal(7)) are made again, and begin their timeout anew. No debugger may be "
	"attached to the process. Where the kernel lets nobody write to /proc/PID/mem, this is done in "
	"any case. Hooks that the process switches later by itself, as for a library that it loads, are "
	"switched while it runs.\n\n"
	"The kernel must allow this. If kernel.yama.ptrace_scope is 0, or there is none, it allows it "
	"to the same user. If it is 1, it allows it to root, and to the same user if the program calls "
	"prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); if it is 2, to root; if it is 3, to nobody. In a "
	"container it takes the capability SYS_PTRACE.",
    .examples = "ten seconds of a server\n"
		"    zprof attach --for 10s server\n"
		"    zprof graph\n"
		"until it is enough\n"
		"    zprof attach 4711\n"
		"    zprof detach 4711",
    .run = run,
};
