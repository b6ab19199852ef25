/* SPDX-License-Identifier: MIT */
/* commands.c - see commands.h. */
#include "report/commands.h"

#include <string.h>

#include "report/core/base/near.h"
#include "report/core/command/help_text.h"
#include "report/frames/frame_options.h"

extern const struct command cmd_record, cmd_report, cmd_diff, cmd_merge, cmd_ls, cmd_rm, cmd_graph,
    cmd_annotate, cmd_groups, cmd_frames, cmd_info, cmd_tune, cmd_export, cmd_html, cmd_brief,
    cmd_mcp, cmd_cflags, cmd_archive, cmd_top, cmd_reset, cmd_snapshot, cmd_help, cmd_resolve,
    cmd_manual, cmd_sleep, cmd_wake, cmd_attach, cmd_detach, cmd_watch, cmd_unwatch;

const struct command *const commands[] = {
    &cmd_record,  &cmd_top,    &cmd_report,   &cmd_graph,  &cmd_annotate, &cmd_groups,  &cmd_frames,
    &cmd_html,    &cmd_brief,  &cmd_diff,     &cmd_merge,  &cmd_archive,  &cmd_ls,      &cmd_rm,
    &cmd_info,    &cmd_reset,  &cmd_snapshot, &cmd_tune,   &cmd_export,   &cmd_mcp,     &cmd_cflags,
    &cmd_sleep,   &cmd_wake,   &cmd_attach,   &cmd_detach, &cmd_watch,    &cmd_unwatch, &cmd_help,
    &cmd_resolve, &cmd_manual, NULL,
};

/* Features that restrict what any view shows: their tables. */
const struct option_spec options_of_features[] = {OPTIONS_OF(frame_options), OPTIONS_END};

const struct command *commands_find(const char *name)
{
	for (int i = 0; commands[i]; i++)
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	return NULL;
}

void commands_try_names(struct near *n)
{
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i]))
			near_try(n, commands[i]->name, commands[i]->name);
}
