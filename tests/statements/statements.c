/* SPDX-License-Identifier: MIT */
/*
 * statements.c - a program whose statements are counted: `statements HOW`.
 *
 *   threads   four threads run work() 1000 times each
 *   fork      the child runs work() 10 times, the parent 20 times
 *   kill      runs work() 100 times, and is killed
 *   load FILE calls work() of a library, unloads it, and does it all again
 *   early     a constructor and a destructor run work(), too
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int done;

void work(int n)
{
	for (int i = 0; i < n; i++)
		done++; /* counted */
}

static void *thread(void *unused)
{
	for (int i = 0; i < 1000; i++)
		work(10);
	return unused;
}

static void in_threads(void)
{
	pthread_t t[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void in_library(const char *path)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen(path, RTLD_NOW);
		void (*other)(int) = library ? (void (*)(int))dlsym(library, "other") : NULL;
		if (!other)
			exit(2);
		other(7);
		dlclose(library);
	}
}

struct pair {
	int one, other;
};

static void fill(struct pair *p, int i)
{
	p->one = i * 7 % 11;
	p->other = i * 5 % 13;
}

/* The ways out of a function meet in code that has no line of its own. */
static int first_above(int limit)
{
	struct pair p;
	for (int i = 0; i < limit; i++) {
		fill(&p, i);
		if (p.one > limit)
			return p.one;
		if (p.other > limit)
			return p.other;
	}
	return 0;
}

__attribute__((constructor)) static void before(void)
{
	work(1);
	for (int i = 0; i < 12; i++)
		first_above(i);
}

__attribute__((destructor)) static void after(void)
{
	work(1);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "threads"))
		in_threads();
	if (!strcmp(how, "fork")) {
		pid_t child = fork();
		work(child ? 20 : 10);
		waitpid(child, NULL, 0);
	}
	if (!strcmp(how, "load"))
		in_library(argv[2]);
	if (!strcmp(how, "kill")) {
		work(100);
		kill(getpid(), SIGKILL);
	}
	return 0;
}
