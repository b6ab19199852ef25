/* SPDX-License-Identifier: MIT */
/*
 * threads_end.c - the ways in which threads end: return, pthread_exit, cancelled while waiting and
 * while computing, alive when the process ends; with instrumented destructors of thread-specific
 * data.
 */
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { EACH = 20 };

static pthread_key_t key;
static const void *data;             /* NULL: no destructor is run */
static volatile unsigned long steps; /* counted by `spin`, which is cancelled at any instruction */
static volatile int waiting;         /* threads that have made all their calls of wait_for_ever() */

static void step(void)
{
}

static void destructor(void *unused)
{
	(void)unused;
	CALL(step);
}

static void leave(int n)
{
	if (n == 0)
		pthread_exit(NULL);
	CALL(leave, n - 1);
	CALL(step);
}

static void *returns(void *unused)
{
	CALL(step);
	return unused;
}

static void *exits(void *unused)
{
	pthread_setspecific(key, data);
	CALL(leave, 5);
	return unused;
}

static void wait_for_ever(int n)
{
	if (n > 0)
		CALL(wait_for_ever, n - 1);
	__atomic_add_fetch(&waiting, 1, __ATOMIC_RELAXED);
	for (;;)
		pause();
}

static void *waits(void *unused)
{
	pthread_setspecific(key, data);
	CALL(wait_for_ever, 3);
	return unused;
}

/* `calls` is counted before the call, so that the profile may miss the last one. */
static void *spins(void *ready)
{
	int old;
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
	*(volatile int *)ready = 1;
	for (;;) {
		steps = steps + 1;
		step();
	}
	return NULL;
}

static void *stays(void *unused)
{
	CALL(wait_for_ever, 2);
	return unused;
}

static void run(void *(*body)(void *), int cancel)
{
	pthread_t thread;
	volatile int ready = 0;
	if (pthread_create(&thread, NULL, body, (void *)&ready) != 0)
		abort();
	if (cancel) {
		usleep(body == spins && !ready ? 3000 : 1000);
		pthread_cancel(thread);
	}
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	pthread_t last;
	truth_add("-", "main", 1, 1);
	truth_add("-", "returns", EACH, EACH);
	truth_add("-", "exits", EACH, EACH);
	truth_add("-", "waits", EACH, EACH);
	truth_add("-", "spins", EACH, EACH);
	truth_add("-", "stays", 1, 1);
	if (argc > 1) {
		data = argv;
		truth_add("-", "destructor", 2 * EACH, 2 * EACH);
	}
	truth_add("main", "run", 4 * EACH, 4 * EACH);
	pthread_key_create(&key, destructor);
	for (int i = 0; i < EACH; i++) {
		run(returns, 0);
		run(exits, 0);
		run(waits, 1);
		run(spins, 1);
	}
	if (pthread_create(&last, NULL, stays, NULL) != 0)
		return 1;
	while (waiting <= EACH)
		usleep(1000);
	truth_add("spins", "step", steps > EACH ? steps - EACH : 0, steps);
	return 0;
}
