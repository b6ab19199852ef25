/* SPDX-License-Identifier: MIT */
/*
 * loader.c - a program whose plugin, its first argument, brings Lua in: host.c as a library. The other
 * arguments are the plugin's.
 */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *plugin = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW);
	const char *error = dlerror();
	int (*run)(int, char **);

	if (!plugin || error) {
		puts(error ? error : "no plugin");
		return 1;
	}
	*(void **)&run = dlsym(plugin, "run_host");
	return run(argc - 1, argv + 1);
}
