/* SPDX-License-Identifier: MIT */
/* main.c - the command `zprof`: finds the subcommand and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/command.h"
#include "report/help.h"
#include "report/memory.h"
#include "report/say.h"
#include "report/version.h"

static void out_of_memory(size_t bytes)
{
	fprintf(stderr, "zprof: out of memory: %zu bytes more were needed\n", bytes);
	exit(EXIT_FAILED);
}

static int unknown(const char *name)
{
	if (strchr(name, '/') && !access(name, X_OK))
		say("unknown command '%s'; to profile it: 'zprof record %s'", name, name);
	else
		say("unknown command '%s'; 'zprof help' lists them", name);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	memory_exhausted = out_of_memory;
	if (argc < 2) {
		fputs("zprof: a command is missing; 'zprof help' lists them\n", stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("zprof " ZPROF_RELEASE);
		return command_end();
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_overview();
		return command_end();
	}
	const struct command *c = command_find(argv[1]);
	return c ? c->run(argc - 1, argv + 1) : unknown(argv[1]);
}
