/* SPDX-License-Identifier: MIT */
/*
 * churn.c - 10,000 short threads, eight alive at a time, or as many as the first argument says.
 *
 * The profile must not grow with their number: each takes over the tree of one that has ended.
 */
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdlib.h>

enum { AT_ONCE = 8 };

static void inner(void)
{
}

static void *brief(void *unused)
{
	CALL(inner);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[AT_ONCE];
	long total = argc > 1 ? strtol(argv[1], NULL, 10) : 10000;
	truth_add("-", "main", 1, 1);
	truth_add("-", "brief", (unsigned long)total, (unsigned long)total);
	for (long i = 0; i < total; i++) {
		if (i >= AT_ONCE)
			pthread_join(threads[i % AT_ONCE], NULL);
		if (pthread_create(&threads[i % AT_ONCE], NULL, brief, NULL) != 0)
			abort();
	}
	for (long i = total < AT_ONCE ? 0 : total - AT_ONCE; i < total; i++)
		pthread_join(threads[i % AT_ONCE], NULL);
	return 0;
}
