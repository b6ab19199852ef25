/* SPDX-License-Identifier: MIT */
/* sampled.c - a program whose stacks are known: each of its functions uses so much processor time,
 * by the thread's own clock, that samples cannot miss it. With an argument it goes on until it is
 * killed, and says when it begins. (The functions differ, because compilers fold equal ones.) */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))

static volatile unsigned long sink;

static long thread_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static ALONE void turn(void)
{
	for (int i = 0; i < 100000; i++)
		sink++;
}

static ALONE void use(long ms)
{
	long end = thread_ms() + ms;

	while (thread_ms() < end)
		turn();
	sink++;
}

static ALONE void by_one(void)
{
	use(60);
	sink++;
}

static ALONE void by_other(void)
{
	use(60);
	sink += 2;
}

static ALONE void *by_thread(void *arg)
{
	use(60);
	sink += 3;
	return arg;
}

static ALONE void by_child(void)
{
	use(60);
	sink += 4;
}

/* More stack than a sample has lies between the loop and main(). */
static ALONE void deep(int levels)
{
	volatile char room[4096];

	room[0] = (char)levels;
	if (levels)
		deep(levels - 1);
	else
		use(60);
	sink += (unsigned char)room[0];
}

int main(int count, char **arguments)
{
	pthread_t thread;

	(void)arguments;
	if (count > 1) {
		puts("begun");
		fflush(stdout);
		for (;;)
			by_one();
	}
	by_one();
	by_other();
	deep(16);
	pthread_create(&thread, NULL, by_thread, NULL);
	pthread_join(thread, NULL);
	if (!fork()) {
		by_child();
		_exit(0);
	}
	wait(NULL);
	return 3;
}
