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
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .run = run,
};
