/* SPDX-License-Identifier: MIT */
/*
 * diamond.c - two callers share a function that costs one ten times what it costs the other.
 *
 * left calls shared often and lets it do little; right calls it seldom and makes it work. A
 * profiler that divides by calls gets this wrong.
 */
#include "tests/programs/truth.h"

static void leaf(void)
{
}

static void shared(int work)
{
	for (int i = 0; i < work; i++)
		CALL(leaf);
}

static void left(void)
{
	for (int i = 0; i < 10; i++)
		CALL(shared, 1);
}

static void right(void)
{
	CALL(shared, 100);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	CALL(left);
	CALL(right);
	return 0;
}

/*
 * What this program must give:
 *
 * $ ./diamond
 * $ zprof graph --no-via
 * ./diamond
 * 247 ticks in 1 thread; 124 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                        3       244         1/1          <spontaneous>
 * [1]     100.0          3       244         1        main [1]           diamond.c:31
 *                        2       201         1/1          right [3]
 *                       11        30         1/1          left [5]
 * -----------------------------------------------------------------------------------
 *                       20        10        10/11         left [5]
 *                      101       100         1/11         right [3]
 * [2]      93.5        121       110        11        shared [2]         diamond.c:14
 *                      110         0       110/110        leaf [4]
 * -----------------------------------------------------------------------------------
 *                        2       201         1/1          main [1]
 * [3]      82.2          2       201         1        right [3]          diamond.c:26
 *                      101       100         1/11         shared [2]
 * -----------------------------------------------------------------------------------
 *                      110         0       110/110        shared [2]
 * [4]      44.5        110         0       110        leaf [4]           diamond.c:10
 * -----------------------------------------------------------------------------------
 *                       11        30         1/1          main [1]
 * [5]      16.6         11        30         1        left [5]           diamond.c:20
 *                       20        10        10/11         shared [2]
 */
