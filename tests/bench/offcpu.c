/* SPDX-License-Identifier: MIT */
/*
 * offcpu.c - what a call takes that blocks: the shortest time of a hundred, in nanoseconds each.
 *
 *     offcpu pipe N     two threads send a byte to and fro: N times each, read() waits for the other
 *     offcpu lock N     two threads take turns at a mutex and a condition variable
 *     offcpu sleep N    nanosleep() for as short as the kernel can
 *
 * All on one processor, so that what is timed is work, and not how long an idle processor takes to wake up.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define APART  static __attribute__((noinline, noclone))
#define UNSEEN static __attribute__((no_instrument_function))
#define BLOCK  100 /* calls that are timed together */

static long count;
static int to_one[2], to_other[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

UNSEEN double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- calls that block */

APART void receive(int from)
{
	char c;
	if (read(from, &c, 1) != 1)
		_exit(2);
}

APART void await_turn(int mine)
{
	pthread_mutex_lock(&lock);
	while (turn != mine)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
}

APART void doze(void)
{
	nanosleep(&(struct timespec){0, 1}, NULL);
}

/* ---- and what ends them */

UNSEEN void give_turn(int to)
{
	pthread_mutex_lock(&lock);
	turn = to;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

UNSEEN void by_pipe(int me)
{
	if (me)
		receive(to_other[0]);
	if (write(me ? to_one[1] : to_other[1], "x", 1) != 1)
		_exit(2);
	if (!me)
		receive(to_one[0]);
}

UNSEEN void by_lock(int me)
{
	if (me)
		await_turn(1);
	give_turn(!me);
	if (!me)
		await_turn(0);
}

UNSEEN void by_sleep(int me)
{
	(void)me;
	doze();
}

static void (*once)(int);

UNSEEN void *other(void *unused)
{
	for (long i = 0; i < count; i++)
		once(1);
	return unused;
}

/* Each turn is a call of either thread. */
UNSEEN double shortest(int calls_a_turn)
{
	double best = 1e18, before, ns;
	for (long i = 0; i < count; i += BLOCK) {
		before = now_ns();
		for (int k = 0; k < BLOCK; k++)
			once(0);
		ns = (now_ns() - before) / BLOCK / calls_a_turn;
		best = ns < best ? ns : best;
	}
	return best;
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[1] : "";
	pthread_t thread;
	cpu_set_t one;
	int threads = 2;
	count = argc > 2 ? atol(argv[2]) / BLOCK * BLOCK : 0;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof one, &one) || pipe(to_one) || pipe(to_other))
		return 1;
	prctl(PR_SET_TIMERSLACK, 1);
	if (!strcmp(how, "pipe"))
		once = by_pipe;
	else if (!strcmp(how, "lock"))
		once = by_lock;
	else if (!strcmp(how, "sleep"))
		once = by_sleep, threads = 1;
	else
		return 1;
	if (threads == 2 && pthread_create(&thread, NULL, other, NULL))
		return 1;
	printf("%.0f\n", shortest(threads));
	fflush(stdout);
	_exit(0); /* the other thread may still wait */
}
