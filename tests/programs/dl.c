/* SPDX-License-Identifier: MIT */
/*
 * dl.c - libraries that come and go: a plugin is loaded, used and unloaded, and another is loaded
 * at its address.
 *
 * Their functions must have two names, each with its own count, though both had one address. The
 * plugins are dl_plugin.c, built twice.
 */
#define _GNU_SOURCE
#include "tests/programs/truth.h"

#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[4096];
static void *addresses[2];

static void call_back(void)
{
}

/* After this comes the plugin's function, at the address that another's had last time. */
static void between(void)
{
}

static void between_too(void)
{
}

static void use(int which, int times)
{
	static struct truth_arc arcs[2] = {{"use", "red_work", 0, 0, NULL},
					   {"use", "blue_work", 0, 0, NULL}};
	char path[5000];
	snprintf(path, sizeof path, "%s/libdl_%s.so", folder, which ? "blue" : "red");
	void *library = dlopen(path, RTLD_NOW);
	if (!library)
		abort();
	void *symbol = dlsym(library, which ? "blue_work" : "red_work");
	void (*work)(void (*)(void));
	memcpy(&work, &symbol, sizeof work);
	addresses[which] = symbol;
	for (int i = 0; i < times; i++) {
		truth_count(&arcs[which]);
		work(call_back);
		if (i % 2)
			CALL(between);
		else
			CALL(between_too);
	}
	/* the plugin's calls, with names that outlive it */
	unsigned long calls = (unsigned long)times;
	truth_add(which ? "blue_work" : "red_work", which ? "blue_helper" : "red_helper", 2 * calls,
		  2 * calls);
	truth_add(which ? "blue_work" : "red_work", "call_back", calls, calls);
	if (dlclose(library) != 0)
		abort();
}

int main(int argc, char **argv)
{
	int same = 0;
	(void)argc;
	snprintf(folder, sizeof folder, "%s", dirname(strdup(argv[0])));
	truth_add("-", "main", 1, 1);
	for (int i = 0; i < 20; i++) {
		CALL(use, 0, 3);
		CALL(use, 1, 5);
		same += addresses[0] == addresses[1];
	}
	CALL(call_back);
	return same == 0; /* fails if the address was never the same */
}
