/* SPDX-License-Identifier: MIT */
/* cmd_unwatch.c - `zprof unwatch`: functions of a running program are not recorded any more. */
#include "report/process/attach_wait.h"
#include "report/process/choose_command.h"

static int run(struct options *o, struct str *err)
{
	return choose_command("unwatch", REQUEST_UNWATCH, o, err);
}

const struct command cmd_unwatch = {
    .name = "unwatch",
    .synopsis = "[--stopped] PID|NAME PATTERN...",
    .summary = "leave functions out while the program runs",
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .text =
	"From then on a function that matches is as if it had been compiled without hooks: its "
	"calls are not counted, and its time goes to its caller. What was counted before stays, "
	"and counts of other functions stay exact. Reports say which functions were left out, and "
	"when. A call that is under way counts, but its time from then on goes to its caller.\n\n"
	"Patterns are those of 'zprof record --only': a name with * and ?, /a regular expression/, "
	"group:NAME, file:NAME, module:NAME. Libraries that are loaded later are checked for "
	"matches, too. If a function matches several choices, the latest holds.\n\n"
	"With -mfentry ('zprof cflags --fentry') the calls of these functions' hooks are switched "
	"off, and cost nothing any more. Hooks of -finstrument-functions cannot be switched one by "
	"one: they return at once, which still takes a few nanoseconds.\n\n"
	"The process is not stopped. Its next call of a function looks up the addresses of the "
	"functions that match, which takes that thread some 10 ms, and more on a machine that is busy; "
	"other threads go on. The kernel must allow "
	"this, as for 'zprof attach'.",
    .examples = "functions too small to time\n"
		"    zprof unwatch 4711 'get_*' 'set_*'\n"
		"everything but one function\n"
		"    zprof unwatch server '*'\n"
		"    zprof watch server handle_request",
    .run = run,
};
