/* SPDX-License-Identifier: MIT */
/*
 * signals.c - instrumented signal handlers at 5 kHz and more, which nest, on the normal and on an
 * alternate stack, while the program makes new contexts all the time, so that they interrupt hooks,
 * their slow path and the growing of the file.
 *
 *   signals [alternate|normal] [SECONDS/10]
 *
 * A handler's caller depends on the moment, so handlers are counted without callers. Each handler sets
 * the timer for the next as it ends, so the program goes on between two of them however slow they are.
 */
#define _GNU_SOURCE
#include "tests/programs/truth.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#define PERIOD 100 /* microseconds */

static void leaf(void)
{
}

static void from_inner(void)
{
	CALL(leaf);
}

static void inner_handler(int signal)
{
	(void)signal;
	ENTERED();
	CALL(from_inner);
}

static void from_outer(int depth)
{
	if (depth > 0)
		CALL(from_outer, depth - 1);
	else
		raise(SIGUSR1);
}

static volatile sig_atomic_t ended;

UNSEEN static void start_timer(int microseconds)
{
	struct itimerval timer = {{0, 0}, {0, microseconds}};
	if (setitimer(ITIMER_REAL, &timer, NULL) != 0)
		abort();
}

static void outer_handler(int signal)
{
	static unsigned count;
	(void)signal;
	ENTERED();
	CALL(from_outer, (int)(count++ % 3));
	if (!ended)
		start_timer(PERIOD);
}

/* New contexts, ever deeper: the bits of `path` say which of two functions is called at each level. */
static void left(unsigned path, int levels);
static void right(unsigned path, int levels);

static void left(unsigned path, int levels)
{
	if (levels == 0)
		CALL(leaf);
	else if (path & 1)
		CALL(right, path >> 1, levels - 1);
	else
		CALL(left, path >> 1, levels - 1);
}

static void right(unsigned path, int levels)
{
	if (levels == 0)
		CALL(leaf);
	else if (path & 1)
		CALL(right, path >> 1, levels - 1);
	else
		CALL(left, path >> 1, levels - 1);
}

UNSEEN static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_handler = handler;
	action.sa_flags = flags | SA_RESTART;
	if (sigaction(signal, &action, NULL) != 0)
		abort();
}

UNSEEN static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	int alternate = argc > 1 && strcmp(argv[1], "alternate") == 0;
	double end = now() + (argc > 2 ? strtod(argv[2], NULL) : 5) / 10;
	stack_t stack = {.ss_sp = malloc(1 << 18), .ss_size = 1 << 18};
	truth_add("-", "main", 1, 1);
	if (alternate && sigaltstack(&stack, NULL) != 0)
		return 1;
	handle(SIGALRM, outer_handler, alternate ? SA_ONSTACK : 0);
	handle(SIGUSR1, inner_handler, alternate ? SA_ONSTACK : 0);
	start_timer(PERIOD);
	for (unsigned path = 0; now() < end; path++)
		CALL(left, path, 14);
	ended = 1;
	start_timer(0);
	return 0;
}
