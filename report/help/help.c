/* SPDX-License-Identifier: MIT */
/* help.c - the overview of all commands. */
#include "report/help/help.h"

#include <stdio.h>

#include "report/commands.h"
#include "report/core/command/help_text.h"

void help_overview(void)
{
	puts(
	    "zprof shows where a native program spends its time: it counts every call, and charges\n"
	    "every tick to the full chain of callers that caused it.\n\n"
	    "    gcc -g -O2 -finstrument-functions prog.c -o prog\n"
	    "    zprof record ./prog\n"
	    "    zprof graph\n\n"
	    "Commands:");
	for (int i = 0; commands[i]; i++)
		if (help_is_listed(commands[i]))
			printf("    %-8s  %s\n", commands[i]->name, help_of(commands[i])->summary);
	puts(
	    "\n'zprof help COMMAND' explains a command, 'zprof help patterns' how to name functions,\n"
	    "'zprof help groups-file' the file that names groups, 'zprof help files' what is read and\n"
	    "replaced, 'zprof help status' exit statuses.");
}
