/* SPDX-License-Identifier: MIT */
/* cmd_help.c - `zprof help`: the overview, a command's page, or a page on a subject of all
 * commands. */
#include <stdio.h>
#include <string.h>

#include "report/commands.h"
#include "report/core/command/help_text.h"
#include "report/help/help.h"
#include "report/core/base/near.h"

const char *cmd_help_page(const char *name)
{
	for (const struct help_page *p = help_pages; p->name; p++)
		if (!strcmp(name, p->name))
			return p->text;
	return NULL;
}

static int run(struct options *o, struct str *err)
{
	struct near near;
	if (!o->path_count) {
		help_overview();
		return command_end();
	}
	const char *name = o->paths[0];
	const struct command *c = commands_find(name);
	if (c || cmd_help_page(name)) {
		if (c)
			help_command(c);
		else
			fputs(cmd_help_page(name), stdout);
		return command_end();
	}
	str_add(err, "no help on '%s'", name);
	near_init(&near, name);
	commands_try_names(&near);
	for (const struct help_page *p = help_pages; p->name; p++)
		near_try(&near, p->name, p->name);
	near_add(&near, err);
	str_add(err, "; 'zprof help' lists the commands");
	return EXIT_USAGE;
}

const struct command cmd_help = {
    .name = "help",
    .run = run,
};
