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
    .options = attach_options,
    .own_size = sizeof(struct attach_options),
    .run = run,
};
