/* SPDX-License-Identifier: MIT */
/*
 * inlined.c - recursive functions of a line, which compilers inline into themselves several levels
 * deep: one stack frame then holds several activations of one function, and a jump leaves some of
 * them, or all. The calls are known and not counted, since counting would keep functions from being
 * inlined.
 */
#include <setjmp.h>

#include "tests/programs/truth.h"

enum { FIBONACCI = 17, DEEPEST = 23, AGAIN = 40 };

static jmp_buf out;
static unsigned sink;

static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static unsigned odd(unsigned n);

static unsigned even(unsigned n)
{
	return n == 0 || odd(n - 1);
}

static unsigned odd(unsigned n)
{
	return n != 0 && even(n - 1);
}

/* Leaves them all by a jump. */
static void deep(unsigned n)
{
	if (n == 0)
		longjmp(out, 1);
	deep(n - 1);
	sink++;
}

/* Two ways down, one of which comes back. */
static unsigned either(unsigned n)
{
	if (n == 0)
		return sink;
	if (n == 1 && sink % 2)
		longjmp(out, 1);
	return either(n - 1) + (n > 1 ? either(n - 2) : 0);
}

UNSEEN static unsigned long calls_of_fibonacci(unsigned n)
{
	return n < 2 ? 1 : 1 + calls_of_fibonacci(n - 1) + calls_of_fibonacci(n - 2);
}

UNSEEN static unsigned long calls_of_either(unsigned n)
{
	return n == 0 ? 1 : 1 + calls_of_either(n - 1) + (n > 1 ? calls_of_either(n - 2) : 0);
}

/* Volatile, so that they survive the jumps. */
int main(void)
{
	volatile unsigned i, n, wrong;

	wrong = fibonacci(FIBONACCI) != 1597;
	wrong += even(DEEPEST);
	for (i = 0; i < AGAIN; i++)
		if (!setjmp(out))
			deep(i % 7);
	for (i = 0; i < AGAIN; i++) {
		sink = i;
		if (!setjmp(out))
			wrong += either(i % 9) == 12345;
	}
	truth_add("-", "main", 1, 1);
	truth_add("main", "fibonacci", 1, 1);
	n = calls_of_fibonacci(FIBONACCI) - 1;
	truth_add("fibonacci", "fibonacci", n, n);
	truth_add("main", "even", 1, 1);
	truth_add("even", "odd", (DEEPEST + 1) / 2, (DEEPEST + 1) / 2);
	truth_add("odd", "even", DEEPEST / 2, DEEPEST / 2);
	truth_add("main", "deep", AGAIN, AGAIN);
	for (i = n = 0; i < AGAIN; i++)
		n += i % 7;
	truth_add("deep", "deep", n, n);
	truth_add("main", "either", AGAIN, AGAIN);
	/* Where i is odd, the first call to reach 1 jumps out: one call per level. */
	for (i = n = 0; i < AGAIN; i++) {
		unsigned depth = i % 9;
		n += i % 2 && depth ? depth - 1 : calls_of_either(depth) - 1;
	}
	truth_add("either", "either", n, n);
	return wrong != 0;
}
