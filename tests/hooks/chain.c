/* SPDX-License-Identifier: MIT */
/* chain.c - the simplest tree: each function calls the next, more often the deeper. */
#include "tests/programs/truth.h"

static void last(void)
{
}

static void third(void)
{
	for (int i = 0; i < 3; i++)
		CALL(last);
}

static void second(void)
{
	for (int i = 0; i < 2; i++)
		CALL(third);
}

static void first(void)
{
	CALL(second);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	for (int i = 0; i < 5; i++)
		CALL(first);
	return 0;
}

/*
 * What this program must give:
 *
 * $ ./chain
 * $ zprof graph --no-via
 * ./chain
 * 101 ticks in 1 thread; 51 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                        6        95         1/1          <spontaneous>
 * [1]     100.0          6        95         1        main [1]           chain.c:26
 *                       10        85         5/5          first [2]
 * ---------------------------------------------------------------------------------
 *                       10        85         5/5          main [1]
 * [2]      94.1         10        85         5        first [2]          chain.c:21
 *                       15        70         5/5          second [3]
 * ---------------------------------------------------------------------------------
 *                       15        70         5/5          first [2]
 * [3]      84.2         15        70         5        second [3]         chain.c:15
 *                       40        30        10/10         third [4]
 * ---------------------------------------------------------------------------------
 *                       40        30        10/10         second [3]
 * [4]      69.3         40        30        10        third [4]          chain.c:9
 *                       30         0        30/30         last [5]
 * ---------------------------------------------------------------------------------
 *                       30         0        30/30         third [4]
 * [5]      29.7         30         0        30        last [5]           chain.c:5
 */
