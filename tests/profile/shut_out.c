/* SPDX-License-Identifier: MIT */
/*
 * shut_out.c - begins as daemons do: makes an empty folder its root and becomes another user; then
 * makes threads and contexts.
 *
 *   shut_out FOLDER THREADS DEPTH
 *
 * All threads are in in_thread() at once, and each makes calls in 2^DEPTH contexts of its own.
 * Prints the lowest descriptor that is free, before and after, and `NAME CALLS` lines. Exit status
 * 3: it lacks the permission.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
#define APART  __attribute__((noinline, noclone))

static pthread_barrier_t all;
static int depth;

static void right(int n);

APART static void left(int n)
{
	if (n > 1) {
		left(n - 1);
		right(n - 1);
	}
}

APART static void right(int n)
{
	if (n > 1) {
		right(n - 1);
		left(n - 1);
	}
}

APART static void in_thread(void)
{
	left(depth);
	right(depth);
	pthread_barrier_wait(&all);
}

UNSEEN static void *begin(void *unused)
{
	in_thread();
	return unused;
}

APART static int leave(const char *folder)
{
	if (chroot(folder) || chdir("/") || setgid(65534) || setuid(65534))
		return 3;
	return 0;
}

UNSEEN static int free_descriptor(void)
{
	int fd = dup(1);
	close(fd);
	return fd;
}

UNSEEN int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[2]) : 1, before = free_descriptor(),
	    status = leave(argv[1]);
	pthread_t *thread = calloc((size_t)threads, sizeof *thread);

	if (status)
		return status;
	depth = atoi(argv[3]);
	pthread_barrier_init(&all, NULL, (unsigned)threads);
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, begin, NULL);
	for (int i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	printf("descriptors %d %d\n", before, free_descriptor());
	printf("in_thread %d\n", threads);
	printf("left %ld\n", threads * ((1L << depth) - 1));
	return 0;
}
