/* SPDX-License-Identifier: MIT */
/* threads.c - two threads call one function 5 million times each, or as often as the first argument
 * says. */
#include "tests/programs/truth.h"

#include <pthread.h>
#include <stdlib.h>

static long times = 5000000;

static void shared(void)
{
}

static void *worker(void *unused)
{
	for (long i = 0; i < times; i++)
		shared();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	if (argc > 1)
		times = strtol(argv[1], NULL, 10);
	truth_add("-", "main", 1, 1);
	truth_add("-", "worker", 2, 2);
	truth_add("worker", "shared", 2ul * (unsigned long)times, 2ul * (unsigned long)times);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, worker, NULL) != 0)
			return 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

/*
 * What this program must give:
 *
 * $ ./threads 1000
 * $ zprof graph --no-via
 * ./threads 1000
 * 4,003 ticks in 3 threads; 2,003 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                    2,002     2,000         2/2          <spontaneous>
 * [1]     100.0      2,002     2,000         2        worker [1]         threads.c:15
 *                    2,000         0     2,000/2,000      shared [2]
 * -----------------------------------------------------------------------------------
 *                    2,000         0     2,000/2,000      worker [1]
 * [2]      50.0      2,000         0     2,000        shared [2]         threads.c:11
 * -----------------------------------------------------------------------------------
 *                        1         0         1/1          <spontaneous>
 * [3]       0.0          1         0         1        main [3]           threads.c:22
 */
