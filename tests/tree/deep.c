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

/*
 * What this program must give:
 *
 * $ ./deep 100000
 * $ zprof graph --no-via
 * ./deep 100000
 * 200,206 ticks in 2 threads; 100,104 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 * note: 100,108 contexts are more than a processor's caches hold, so each call took longer to count; 100 % of them are recursion: with recursion=1 they are fewer, and calls and times are as exact
 *
 * index  % time       self  children            called  name
 *                        2   200,203         1/1            <spontaneous>
 * [1]     100.0          2   200,203         1          deep [1]           deep.c:34
 *                  200,102       101         1/1            descend [2]
 * ----------------------------------------------------------------------------------
 *                  200,102       101         1/1            deep [1]
 * [2]     100.0    200,102       101         1+100,000  descend [2]        deep.c:23
 *                      100         0       100/100          way_up [3]
 *                        1         0         1/1            bottom [4]
 * ----------------------------------------------------------------------------------
 *                      100         0       100/100          descend [2]
 * [3]       0.0        100         0       100          way_up [3]         deep.c:19
 * ----------------------------------------------------------------------------------
 *                        1         0         1/1            descend [2]
 * [4]       0.0          1         0         1          bottom [4]         deep.c:15
 * ----------------------------------------------------------------------------------
 *                        1         0         1/1            <spontaneous>
 * [5]       0.0          1         0         1          main [5]           deep.c:40
 */
