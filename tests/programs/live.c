/* SPDX-License-Identifier: MIT */
/*
 * live.c - something for the live view to look at: two threads that work a little and wait, again and
 * again, until a signal ends them, or nearly five minutes have passed. Each turn calls busy() three times
 * and recurses four deep.
 *
 *     live [TURNS]      ends by itself after so many turns
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sum;

static void busy(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sum += i;
}

static void descend(int depth)
{
	busy(100);
	if (depth > 1)
		descend(depth - 1);
}

static void turn(void)
{
	for (int i = 0; i < 3; i++)
		busy(20000);
	descend(4);
	usleep(1000);
}

static void errand(void)
{
	busy(5000);
	usleep(2000);
}

/* Without a hook: the library asks for a thread's name at its first event. */
__attribute__((no_instrument_function)) static void *work(void *unused)
{
	pthread_setname_np(pthread_self(), "worker");
	for (;;)
		errand();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t worker;
	long turns = argc > 1 ? atol(argv[1]) : -1;
	alarm(280);
	pthread_create(&worker, NULL, work, NULL);
	while (turns--)
		turn();
	return 0;
}
