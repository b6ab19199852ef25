/* SPDX-License-Identifier: MIT */
/*
 * attached.c - works until SIGTERM, for `zprof attach` to record meanwhile.
 *
 *   attached [idle]
 *
 * Two threads call serve(), which calls middle() twice, which calls leaf() ten times; `idle`: none
 * does, but for one call at SIGUSR1. Prints "right" at the end if every result was.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define QUIET __attribute__((no_instrument_function))

static volatile sig_atomic_t over, asked;
static volatile long sink;
static int wrong;

APART static int leaf(int x)
{
	sink += x;
	return x + 1;
}

APART static int middle(int x)
{
	int i, sum = 0;

	for (i = 0; i < 10; i++)
		sum += leaf(x + i);
	return sum;
}

APART static int serve(int x)
{
	return middle(x) + middle(x + 1);
}

QUIET static void on_signal(int signal)
{
	if (signal == SIGTERM)
		over = 1;
	else
		asked = 1;
}

QUIET static void *run(void *unused)
{
	int n;

	for (n = 0; !over; n = (n + 1) % 1000)
		if (serve(n) != 20 * n + 120)
			__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
	return unused;
}

QUIET int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_t threads[2];
	int i, busy = argc < 2 ? 2 : 0;

	(void)argv;
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i < busy; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	puts("begun");
	fflush(stdout);
	while (!over) {
		usleep(10000);
		if (asked)
			wrong |= serve(1) != 140;
		asked = 0;
	}
	for (i = 0; i < busy; i++)
		pthread_join(threads[i], NULL);
	puts(wrong ? "wrong" : "right");
	return wrong;
}
