/* SPDX-License-Identifier: MIT */
/*
 * later.c - `later WAY [FILE...]`: loads libraries made of later_plugin.cc, and calls them.
 *
 *     load     one, and calls it 1000 times
 *     reload   600 times: loads it, calls it twice, closes it; then `load`. Prints how many areas of
 *              trampolines are mapped
 *     replace  loads FILE 1, calls it, closes it; the same with FILE 2, which comes to its addresses
 *     thread   as `load`, while there is another thread
 *     fork     as `load`, in a child
 *     off      as `load`, without a call; then begins to record, and calls it 1000 times
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/zprof.h"

#define APART __attribute__((noinline, noclone, used))

typedef int plugged_function(void (*)(void), int);

static int turns;
static pthread_barrier_t barrier;

APART void called(void)
{
	turns++;
}

APART void *load(const char *file)
{
	return dlopen(file, RTLD_NOW);
}

APART int use(void *library, const char *name, int times)
{
	plugged_function *plugged = (plugged_function *)(library ? dlsym(library, name) : NULL);
	int caught = 0;

	for (int i = 0; plugged && i < times; i++)
		caught += plugged(called, i);
	return caught;
}

APART int areas(void)
{
	char line[4096];
	int count = 0;
	FILE *maps = fopen("/proc/self/maps", "r");

	while (maps && fgets(line, sizeof line, maps))
		count += strstr(line, "memfd:zprof") != NULL;
	if (maps)
		fclose(maps);
	return count;
}

static void *wait_for_the_end(void *nothing)
{
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return nothing;
}

int main(int n, char **v)
{
	const char *way = n > 1 ? v[1] : "load";
	int caught = 0, expected = 2000, status;
	pthread_t thread;
	void *library;

	called();
	if (!strcmp(way, "fork")) {
		pid_t child = fork();

		if (child)
			return waitpid(child, &status, 0) != child || status;
		called();
		turns = 1;
	}
	if (!strcmp(way, "replace")) {
		for (int i = 2; i < n; i++) {
			library = load(v[i]);
			caught += use(library, i == 2 ? "plugged" : "other", 1000);
			printf("%p\n", dlsym(library, i == 2 ? "plugged" : "other"));
			dlclose(library);
		}
		return turns != 1 + 4000 || caught != 200;
	}
	for (int i = 0; !strcmp(way, "reload") && i < 600; i++) {
		library = load("./plugin.so");
		caught += use(library, "plugged", 2);
		expected += 4;
		dlclose(library);
	}
	if (!strcmp(way, "thread")) {
		pthread_barrier_init(&barrier, NULL, 2);
		pthread_create(&thread, NULL, wait_for_the_end, NULL);
		pthread_barrier_wait(&barrier);
	}
	library = load(n > 2 ? v[2] : "./plugin.so");
	if (!strcmp(way, "off"))
		zprof_resume();
	caught += use(library, "plugged", 1000);
	if (!strcmp(way, "reload"))
		printf("%d\n", areas());
	if (!strcmp(way, "thread")) {
		pthread_barrier_wait(&barrier);
		pthread_join(thread, NULL);
	}
	return turns != 1 + expected || caught != 100;
}
