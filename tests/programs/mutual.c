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
