/* SPDX-License-Identifier: MIT */
/* below.c - see between.h. */
#include "between.h"

int below(int n)
{
	volatile int twice = 2 * n;

	return twice;
}

int below_many(int a, int b, int c, int d, int e, int f, int g, int h)
{
	return below(a + b + c + d) + below(e + f + g + h);
}
