/* SPDX-License-Identifier: MIT */
/*
 * steps_nested.c - `steps_nested STRIDE`: a handler interrupts a hook, and another handler the first hook
 * in that one, at each of its instructions, or at each STRIDE-th.
 *
 * The level of a thread that handlers use (preload/track/track.h) is made by the first one that
 * interrupts a hook, and each instruction of that matters once, near those at which the hook is in
 * progress (after some 600 to 700). So each thread tries one of them, and stays alive until all
 * have, so that none takes over what another has made.
 */
#define _GNU_SOURCE
#include "tests/programs/stepping.h"
#include "tests/programs/truth.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

/* In the library's instructions: the one that the first handler interrupts; how many pass before
 * the second. */
enum { FIRST = 60, PASSED = 500, THREADS = 500 };

static __thread unsigned until_first, until_second;
static unsigned long interrupted;
static pthread_barrier_t all_tried;

static void in_handler(void)
{
}

static void injected(void)
{
	CALL(in_handler);
}

UNSEEN static void on_trap(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	if (!in_library(context))
		return;
	if (until_first && --until_first == 0) {
		TRUTH_COUNT(NULL, "injected");
		step();
		injected();
		run();
		step_no_on(context);
	} else if (!until_first && until_second && --until_second == 0) {
		TRUTH_COUNT(NULL, "injected");
		__atomic_fetch_add(&interrupted, 1, __ATOMIC_RELAXED);
		injected();
		step_no_on(context);
	}
}

static void leaf(void)
{
}

static void *stepped(void *instruction)
{
	until_first = FIRST;
	until_second = PASSED + (unsigned)(uintptr_t)instruction;
	step();
	CALL(leaf);
	CALL(leaf);
	run();
	pthread_barrier_wait(&all_tried);
	return NULL;
}

int main(int argc, char **argv)
{
	uintptr_t stride = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
	pthread_t threads[THREADS];
	uintptr_t i, count;

	if (!stride || stride > THREADS)
		return 2;
	count = THREADS / stride;
	truth_add("-", "main", 1, 1);
	truth_add("-", "stepped", count, count);
	dl_iterate_phdr(find_library, NULL);
	if (handle_steps(&action) != 0)
		return 1;
	pthread_barrier_init(&all_tried, NULL, (unsigned)count);
	for (i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, stepped, (void *)(i * stride + 1)) != 0)
			abort();
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return high != 0 && interrupted != count;
}
