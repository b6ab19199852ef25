/* SPDX-License-Identifier: MIT */
/*
 * deep.c - recursion 100,000 deep, or as deep as the first argument says, with a call at the bottom
 * and one on the way up.
 *
 * It makes a stack of the size it needs, so that `ulimit -s` does not matter.
 */
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdlib.h>

static long depth = 100000;

static void bottom(void)
{
}

static void way_up(void)
{
}

static void descend(long n)
{
	if (n == 0) {
		CALL(bottom);
		return;
	}
	CALL(descend, n - 1);
	if (n % 1000 == 0)
		CALL(way_up);
}

static void *deep(void *unused)
{
	CALL(descend, depth);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	if (argc > 1)
		depth = strtol(argv[1], NULL, 10);
	truth_add("-", "main", 1, 1);
	truth_add("-", "deep", 1, 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)depth * 512 + (1 << 20));
	if (pthread_create(&thread, &attr, deep, NULL) != 0)
		return 1;
	pthread_join(thread, NULL);
	return 0;
}
