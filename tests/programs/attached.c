/* SPDX-License-Identifier: MIT */
/*
 * attached.c - works until SIGTERM, so that `zprof attach` can record it.
 *
 *   attached [idle|headless|sealed|private]
 *
 * Two threads call serve(), which calls middle() twice, which calls leaf() ten times, and rest for a
 * moment after each thousand, so that they leave the processor to others; `idle`: they
 * do not, except for one call at SIGUSR1. Prints "right" at the end if every result was. `headless`:
 * the first thread ends at once; `sealed`: no page becomes executable from the start on; `private`: its
 * user may not trace it.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE              65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

#define APART __attribute__((noinline, noclone))
#define QUIET __attribute__((no_instrument_function))

static volatile sig_atomic_t over, asked;
static _Thread_local volatile long
    sink; /* of each thread: leaf() takes a moment, and waits for no other processor */
static int wrong, running;

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

	for (n = 0; !over; n = (n + 1) % 1000) {
		if (serve(n) != 20 * n + 120)
			__atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
		if (n == 999)
			usleep(100);
	}
	if (__atomic_sub_fetch(&running, 1, __ATOMIC_RELAXED) == 0) {
		puts(wrong ? "wrong" : "right");
		exit(wrong);
	}
	return unused;
}

QUIET int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_t threads[2];
	const char *how = argc < 2 ? "" : argv[1];
	bool headless = !strcmp(how, "headless");
	int i, busy = strcmp(how, "idle") ? 2 : 0;

	if (!strcmp(how, "sealed") && prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0))
		return 3;
	if (!strcmp(how, "private"))
		prctl(PR_SET_DUMPABLE, 0);
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	running = headless ? busy : busy + 1;
	for (i = 0; i < busy; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	puts("begun");
	fflush(stdout);
	if (headless)
		pthread_exit(NULL);
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
