/* SPDX-License-Identifier: MIT */
/* help.c - the overview of all commands, by what they are for. */
#include "report/help/help.h"

#include <stdio.h>

#include "report/commands.h"
#include "report/core/command/help_text.h"

void help_overview(void)
{
	static const char *const tasks[TASK_INTERNAL] = {
	    [TASK_RECORD] = "Record a program",
	    [TASK_LOOK] = "Look at a profile",
	    [TASK_COMPARE] = "Compare profiles",
	    [TASK_SHARE] = "Share a profile",
	    [TASK_STEER] = "Steer a running program",
	    [TASK_FILES] = "Profiles as files",
	    [TASK_HELP] = "Help",
	};
	puts(
	    "zprof shows where a native program spends its time: it counts every call, and charges\n"
	    "every tick to the full chain of callers that caused it.\n\n"
	    "    gcc -g -O2 -finstrument-functions prog.c -o prog\n"
	    "    zprof record ./prog\n"
	    "    zprof graph\n\n"
	    "Commands:");
	for (int task = 0; task < TASK_INTERNAL; task++) {
		const char *heading = tasks[task];
		for (int i = 0; commands[i]; i++) {
			const struct help_command *h = help_of(commands[i]);
			if ((int)h->task != task)
				continue;
			if (heading)
				printf("\n  %s\n", heading);
			heading = NULL;
			printf("    %-8s  %s\n", h->name, h->summary);
		}
	}
	puts(
	    "\n'zprof help COMMAND' explains a command, 'zprof help patterns' how to name functions,\n"
	    "'zprof help groups-file' the file that names groups, 'zprof help files' what is read and\n"
	    "replaced, 'zprof help status' exit statuses.");
}
