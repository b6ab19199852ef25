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
