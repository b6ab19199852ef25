/* SPDX-License-Identifier: MIT */
/* recurse.c - functions that call themselves: once per level, and twice per level. */
#include "tests/programs/truth.h"

static unsigned long factorial(unsigned n)
{
	return n < 2 ? 1 : n * CALL(factorial, n - 1);
}

static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : CALL(fibonacci, n - 1) + CALL(fibonacci, n - 2);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	for (unsigned n = 1; n <= 8; n++)
		if (CALL(factorial, n) == 0)
			return 1;
	return CALL(fibonacci, 12) != 144;
}

/*
 * What this program must give:
 *
 * $ ./recurse
 * $ zprof graph --no-via
 * ./recurse
 * 1,003 ticks in 1 thread; 502 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                       10       993         1/1          <spontaneous>
 * [1]     100.0         10       993         1        main [1]           recurse.c:15
 *                      929         0         1/1          fibonacci [2]
 *                       64         0         8/8          factorial [3]
 * -----------------------------------------------------------------------------------
 *                      929         0         1/1          main [1]
 * [2]      92.6        929         0         1+464    fibonacci [2]      recurse.c:10
 * -----------------------------------------------------------------------------------
 *                       64         0         8/8          main [1]
 * [3]       6.4         64         0         8+28     factorial [3]      recurse.c:5
 * $ zprof graph --no-via --recursion=spread --func 'fact*'
 * ./recurse
 * 1,003 ticks in 1 thread; 502 calls
 * times: ticks of a fake clock, one a reading; calls are exact
 *
 * index  % time       self  children          called  name
 *                       15        49         8/8          main [1]
 * [12]      6.4         15        49         8        factorial [12]        recurse.c:5
 *                       13        36         7/7          factorial'2 [13]
 * -------------------------------------------------------------------------------------
 *                       13        36         7/7          factorial [12]
 * [13]      4.9         13        36         7        factorial'2 [13]      recurse.c:5
 *                       11        25         6/6          factorial'3 [14]
 * -------------------------------------------------------------------------------------
 *                       11        25         6/6          factorial'2 [13]
 * [14]      3.6         11        25         6        factorial'3 [14]      recurse.c:5
 *                        9        16         5/5          factorial'4 [15]
 * -------------------------------------------------------------------------------------
 *                        9        16         5/5          factorial'3 [14]
 * [15]      2.5          9        16         5        factorial'4 [15]      recurse.c:5
 *                        7         9         4/4          factorial'5 [17]
 * -------------------------------------------------------------------------------------
 *                        7         9         4/4          factorial'4 [15]
 * [17]      1.6          7         9         4        factorial'5 [17]      recurse.c:5
 *                        5         4         3/3          factorial'6 [18]
 * -------------------------------------------------------------------------------------
 *                        5         4         3/3          factorial'5 [17]
 * [18]      0.9          5         4         3        factorial'6 [18]      recurse.c:5
 *                        3         1         2/2          factorial'7 [19]
 * -------------------------------------------------------------------------------------
 *                        3         1         2/2          factorial'6 [18]
 * [19]      0.4          3         1         2        factorial'7 [19]      recurse.c:5
 *                        1         0         1/1          factorial'8 [21]
 * -------------------------------------------------------------------------------------
 *                        1         0         1/1          factorial'7 [19]
 * [21]      0.1          1         0         1        factorial'8 [21]      recurse.c:5
 */
