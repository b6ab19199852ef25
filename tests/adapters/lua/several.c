/* SPDX-License-Identifier: MIT */
/*
 * several.c - a program with several Luas: `several TOGETHER PLUGIN SCRIPT PLUGIN SCRIPT...` runs each script
 * with the plugin's Lua (host.c as a library, linked with one). A plugin "-" is the program itself, linked with
 * host.c and a Lua. TOGETHER is 0: one after the other; 1: at a time, in threads; deep: one after the
 * other, and the symbols of each plugin are looked for among its own libraries first.
 */
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plugin {
	int (*run)(int, char **);
	char *script;
};

static void *run(void *plugin)
{
	struct plugin *p = plugin;
	char *arguments[] = {"host", p->script, NULL};

	p->run(2, arguments);
	return NULL;
}

int main(int argc, char **argv)
{
	struct plugin plugins[8];
	pthread_t threads[8];
	int first = strcmp(argv[1], "deep") ? 0 : RTLD_DEEPBIND;
	int n = (argc - 2) / 2, i;

	for (i = 0; i < n; i++) {
		char *file = argv[2 + 2 * i];
		void *handle =
		    dlopen(strcmp(file, "-") ? file : NULL, RTLD_LAZY | RTLD_LOCAL | first);

		if (!handle) {
			puts(dlerror());
			return 1;
		}
		*(void **)&plugins[i].run = dlsym(handle, "run_host");
		plugins[i].script = argv[3 + 2 * i];
	}
	for (i = 0; i < n; i++) {
		if (!atoi(argv[1]))
			run(&plugins[i]);
		else
			pthread_create(&threads[i], NULL, run, &plugins[i]);
	}
	for (i = 0; i < n && atoi(argv[1]); i++)
		pthread_join(threads[i], NULL);
	return 0;
}
