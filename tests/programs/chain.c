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
