/* SPDX-License-Identifier: MIT */
/*
 * frames.c - requests, one of which takes fifty times as long as the others, for tests of frames.
 *
 *     frames COUNT SLOW [turns | kinds | discard | threads | paced | misuse | die]
 *
 * Handles COUNT requests; number SLOW calls step() fifty times as often, in lookup(). With `turns`,
 * zprof_frame("turn") ends each; `kinds` has two names, of which one ends every tenth time; with
 * `discard`, every second one is discarded; `threads` handles them in two threads; `paced` sleeps for
 * a moment after each; `misuse` ends a zone that was not begun; `die` ends by SIGKILL.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/zprof.h"

#define APART __attribute__((noinline, noclone))

static volatile unsigned long sink;

APART static void step(void)
{
	sink++;
}

APART static void lookup(int steps)
{
	for (int i = 0; i < steps; i++)
		step();
}

APART static void parse(void)
{
	step();
	step();
}

/* Recursion: a total is not counted twice. */
APART static void reply(int depth)
{
	step();
	if (depth)
		reply(depth - 1);
}

APART static void handle(int steps)
{
	parse();
	lookup(steps);
	reply(2);
}

static int count, slow;
static const char *how;

static void end_frame(int i)
{
	if (!strcmp(how, "discard") && i % 2)
		zprof_frame_discard("turn");
	else if (!strcmp(how, "kinds") && i % 10 == 9)
		zprof_frame("tenth");
	if (strcmp(how, "discard") || i % 2 == 0)
		zprof_frame("turn");
	if (!strcmp(how, "paced"))
		usleep(100);
}

APART static void *serve(void *unused)
{
	for (int i = 1; i <= count; i++) {
		handle(i == slow ? 800 : 5);
		if (*how && strcmp(how, "threads"))
			end_frame(i);
	}
	return unused;
}

int main(int argc, char **argv)
{
	count = argc > 1 ? atoi(argv[1]) : 100;
	slow = argc > 2 ? atoi(argv[2]) : 0;
	how = argc > 3 ? argv[3] : "";
	if (!strcmp(how, "threads")) {
		pthread_t other;
		if (pthread_create(&other, NULL, serve, NULL))
			return 1;
		pthread_join(other, NULL);
	}
	serve(NULL);
	if (!strcmp(how, "misuse"))
		ZPROF_END;
	if (!strcmp(how, "die"))
		kill(getpid(), SIGKILL);
	return 0;
}
