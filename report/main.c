/* SPDX-License-Identifier: MIT */
/* main.c - the command `zprof`: finds the subcommand and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "report/commands.h"
#include "report/help/help.h"
#include "report/core/base/memory.h"
#include "report/core/base/near.h"
#include "preload/release.h"

static void out_of_memory(size_t bytes)
{
	fprintf(stderr, "zprof: out of memory: %zu bytes more were needed\n", bytes);
	exit(EXIT_FAILED);
}

/* jansson would leave out what it has no memory for. */
static void *json_memory(size_t bytes)
{
	return memory_resize(NULL, bytes, 1);
}

static int unknown(const char *name)
{
	struct near near;
	struct str message = {0};
	if (strchr(name, '/') && !access(name, X_OK)) {
		str_add(&message, "unknown command '%s'; to profile it: 'zprof record %s'", name,
			name);
	} else {
		str_add(&message, "unknown command '%s'", name);
		near_init(&near, name);
		commands_try_names(&near);
		near_add(&near, &message);
		str_add(&message, "; 'zprof help' lists them");
	}
	int status = command_fail(EXIT_USAGE, &message);
	str_free(&message);
	return status;
}

int main(int argc, char **argv)
{
	memory_exhausted = out_of_memory;
	json_set_alloc_funcs(json_memory, free);
	if (argc < 2) {
		help_overview();
		return command_end();
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("zprof " ZPROF_RELEASE);
		return command_end();
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		help_overview();
		return command_end();
	}
	const struct command *c = commands_find(argv[1]);
	return c ? command_run(c, argc - 1, argv + 1) : unknown(argv[1]);
}
