/* SPDX-License-Identifier: MIT */
/* mutual.c - functions that call each other in a ring of two, and in a ring of three that can be
 * entered anywhere. */
#include "tests/programs/truth.h"

#include <stdbool.h>

static bool is_odd(unsigned n);

static bool is_even(unsigned n)
{
	return n == 0 ? true : CALL(is_odd, n - 1);
}

static bool is_odd(unsigned n)
{
	return n == 0 ? false : CALL(is_even, n - 1);
}

static void rock(int n);
static void paper(int n);

static void scissors(int n)
{
	if (n)
		CALL(rock, n - 1);
}

static void paper(int n)
{
	if (n)
		CALL(scissors, n - 1);
}

static void rock(int n)
{
	if (n)
		CALL(paper, n - 1);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	if (CALL(is_even, 7) || !CALL(is_odd, 7))
		return 1;
	CALL(rock, 10);
	CALL(paper, 4);
	CALL(scissors, 1);
	return 0;
}

/*
 * What this program must give:
 *
 * $ ./mutual
 * $ zprof graph --no-via
 * ./mutual
 * 69 ticks in 1 thread; 35 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                        6        63         1/1          <spontaneous>
 * [1]     100.0          6        63         1        main [1]           mutual.c:41
 *                        8        13         1/6          rock [5]
 *                        8         7         1/8          is_even [2]
 *                        8         7         1/8          is_odd [3]
 *                        4         5         1/6          paper [4]
 *                        2         1         1/6          scissors [6]
 * ----------------------------------------------------------------------------------
 *                        7         6         7/8          is_odd [3]
 *                        8         7         1/8          main [1]
 * [2]      40.6         15        13         8        is_even [2]        mutual.c:10
 *                       13         0         7/8          is_odd [3]
 * ----------------------------------------------------------------------------------
 *                        7         6         7/8          is_even [2]
 *                        8         7         1/8          main [1]
 * [3]      40.6         15        13         8        is_odd [3]         mutual.c:15
 *                       13         0         7/8          is_even [2]
 * ----------------------------------------------------------------------------------
 *                        4         5         1/6          main [1]
 *                        7        12         5/6          rock [5]
 * [4]      40.6         11        17         6        paper [4]          mutual.c:29
 *                        9         8         5/6          scissors [6]
 * ----------------------------------------------------------------------------------
 *                        3         3         5/6          scissors [6]
 *                        8        13         1/6          main [1]
 * [5]      39.1         11        16         6        rock [5]           mutual.c:35
 *                        9         7         5/6          paper [4]
 * ----------------------------------------------------------------------------------
 *                        2         1         1/6          main [1]
 *                        9        15         5/6          paper [4]
 * [6]      39.1         11        16         6        scissors [6]       mutual.c:23
 *                        9         7         5/6          rock [5]
 */
