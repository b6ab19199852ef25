/* SPDX-License-Identifier: MIT */
/*
 * shared_tls.c - a thread made by clone() without CLONE_SETTLS: it has the thread-local storage of
 * the thread that made it, and both make calls at once.
 *
 *   shared_tls TIMES
 *
 * Each calls leaf() TIMES times. Exit status 1: the thread could not be made.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))

enum { STACK_BYTES = 256 * 1024 };

static long times;
static int begun, alive = 1; /* `alive` is cleared by the kernel when the thread has ended */

APART static void leaf(void)
{
	__asm__ volatile("");
}

APART static void one(void)
{
	for (long i = 0; i < times; i++)
		leaf();
}

APART static void other(void)
{
	for (long i = 0; i < times; i++)
		leaf();
}

UNSEEN static int thread(void *unused)
{
	(void)unused;
	__atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
	other();
	return 0;
}

UNSEEN int main(int argc, char **argv)
{
	char *stack =
	    mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	times = argc > 1 ? atol(argv[1]) : 1000;
	leaf();
	if (stack == MAP_FAILED || clone(thread, stack + STACK_BYTES,
					 CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
					     CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID,
					 NULL, NULL, NULL, &alive) < 0)
		return 1;
	while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE))
		;
	one();
	while (__atomic_load_n(&alive, __ATOMIC_ACQUIRE))
		usleep(1000);
	return 0;
}
