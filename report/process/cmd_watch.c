/* SPDX-License-Identifier: MIT */
/* cmd_watch.c - `zprof watch`: functions of a running program are recorded again. */
#include "report/process/attach_wait.h"
#include "report/process/choose_command.h"

static int run(struct options *o, struct str *err)
{
	return choose_command("watch", REQUEST_WATCH, o, err);
}

const struct command cmd_watch = {
    .name = "watch",
    .synopsis = "[--stopped] PID|NAME PATTERN...",
    .summary = "record functions that were left out, while the program runs",
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .text = "Undoes 'zprof unwatch' for functions that match, or records functions that --only has "
	    "left out. From then on their calls are counted. A call that is under way is not; the "
	    "report says how many such calls it saw return. 'zprof help unwatch' has the rest.",
    .examples = "functions that were left out\n"
		"    zprof watch 4711 'get_*'",
    .run = run,
};
