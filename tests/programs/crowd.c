/* SPDX-License-Identifier: MIT */
/*
 * crowd.c - 1,000 threads alive at once, or as many as the first argument says.
 *
 * The cost of a thread's beginning must not grow with the number of threads.
 */
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t all_there;

static void inner(void)
{
}

static void *one_of_many(void *unused)
{
	CALL(inner);
	pthread_barrier_wait(&all_there);
	CALL(inner);
	return unused;
}

int main(int argc, char **argv)
{
	long total = argc > 1 ? strtol(argv[1], NULL, 10) : 1000, i;
	pthread_t *threads = calloc((size_t)total, sizeof *threads);
	pthread_attr_t small;

	truth_add("-", "main", 1, 1);
	truth_add("-", "one_of_many", (unsigned long)total, (unsigned long)total);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all_there, NULL, (unsigned)total);
	for (i = 0; i < total; i++)
		if (pthread_create(&threads[i], &small, one_of_many, NULL) != 0)
			abort();
	for (i = 0; i < total; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
