/* SPDX-License-Identifier: MIT */
/* work_fib.c - the recursive Fibonacci function: every context can be followed by two others. */
#include "tests/bench/work.h"

enum { DEPTH = 15, CALLS = 1973 };

static APART int fib(int n)
{
	int a, b;

	if (n < 2)
		return n;
	a = fib(n - 1);
	UNKNOWN(a);
	b = fib(n - 2);
	UNKNOWN(b);
	return a + b;
}

void work(unsigned long pairs)
{
	unsigned long i;

	for (i = 0; i < pairs; i += CALLS) {
		int sum = fib(DEPTH);

		UNKNOWN(sum);
	}
}
