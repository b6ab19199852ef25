/* SPDX-License-Identifier: MIT */
/*
 * zones_limits.c - many zones, long names, threads that share them, signals in the middle of them,
 * a fork. `zones_limits PART` does one; what it counted itself it prints as `NAME CALLS` lines.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "preload/zprof.h"

enum { MANY = 70000, LONG = 10 * 1024, TURNS = 200000, THREADS = 4 };

static void many(void)
{
	static uint32_t ids[MANY];
	char name[32];
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof name, "z%d", i);
		ids[i] = zprof_lent(name, "many", "many.l", (uint32_t)i);
	}
	for (int i = 0; i < MANY; i += 1000) {
		zprof_lent_enter(ids[i]);
		zprof_lent_leave();
		printf("z%d 1\n", i);
	}
}

static void long_names(void)
{
	static char name[LONG + 1];
	memset(name, 'n', LONG);
	zprof_lent_enter(zprof_lent(name, name, name, 1));
	zprof_lent_leave();
	printf("%s 1\n", name);
}

static void by_hand(void)
{
	ZPROF(by_hand);
}

/* The same zones in several threads, first entered by all of them at once. */
ZPROF_DEFINE(shared);
static uint32_t common;
static pthread_barrier_t together;

static void *in_thread(void *counter)
{
	uint64_t *steps = counter;
	zprof_lent_counter("steps", steps);
	pthread_barrier_wait(&together);
	for (int i = 0; i < TURNS; i++) {
		ZPROF_SCOPE(shared);
		zprof_lent_enter(common);
		(*steps)++;
		zprof_lent_leave();
	}
	return NULL;
}

static void threads(void)
{
	static uint64_t steps[THREADS][8]; /* a cache line each */
	pthread_t all[THREADS];
	by_hand();
	common = zprof_lent("common", NULL, NULL, 0);
	pthread_barrier_init(&together, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, in_thread, steps[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
	printf("shared %d\ncommon %d\n", THREADS * TURNS, THREADS * TURNS);
}

/* A handler that enters zones, and comes at any instruction of those that others enter. */
static uint32_t in_handler, outer, inner;
static volatile sig_atomic_t handled;

static void handler(int number)
{
	(void)number;
	ZPROF(handler);
	zprof_lent_enter(in_handler);
	zprof_lent_replace(in_handler, ZPROF_CALL);
	zprof_lent_leave();
	handled++;
}

static void signals(void)
{
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	uint64_t k;
	int n = 0;
	in_handler = zprof_lent("in handler", NULL, NULL, 0);
	outer = zprof_lent("outer", NULL, NULL, 0);
	inner = zprof_lent("inner", NULL, NULL, 0);
	signal(SIGALRM, handler);
	by_hand(); /* begins recording now: begun twice at once, it would leave a file .2 */
	setitimer(ITIMER_REAL, &often, NULL);
	for (n = 0; handled < 2000; n++) {
		ZPROF(hand);
		zprof_lent_enter(outer);
		zprof_lent_enter(inner);
		zprof_lent_replace(inner, ZPROF_CALL);
		k = zprof_lent_capture();
		zprof_lent_leave();
		zprof_lent_free(k);
		zprof_lent_leave();
	}
	setitimer(ITIMER_REAL, &never, NULL);
	printf("hand %d\nouter %d\ninner %d\nhandler %d\nin handler %d\n", n, n, 2 * n,
	       (int)handled, 2 * (int)handled);
}

/* Marked zones keep their ids in a child, which has a profile of its own. */
static void forks(void)
{
	uint32_t id = zprof_lent("before", NULL, NULL, 0), later;
	by_hand();
	zprof_lent_enter(id);
	if (fork()) {
		wait(NULL);
		zprof_lent_leave();
		by_hand();
		printf("by_hand 2\nbefore 1\n");
		return;
	}
	later = zprof_lent("after", NULL, NULL, 0);
	by_hand();
	zprof_lent_enter(later);
	zprof_lent_leave();
	zprof_lent_leave();
	exit(0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*part)(void);
	} parts[] = {{"many", many},
		     {"long", long_names},
		     {"threads", threads},
		     {"signals", signals},
		     {"forks", forks}};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (argc > 1 && !strcmp(argv[1], parts[i].name))
			parts[i].part();
	return 0;
}
