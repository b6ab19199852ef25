/* SPDX-License-Identifier: MIT */
/* libshared.c - the shared library of shared.c. */
#include "tests/programs/truth.h"

void library_each(void (*call_back)(int), int times);
int library_twice(int n);

static int twice(int n)
{
	return 2 * n;
}

int library_twice(int n)
{
	return CALL(twice, n);
}

void library_each(void (*call_back)(int), int times)
{
	for (int i = 0; i < times; i++)
		CALL_AS("library_each", "call_back", call_back(i));
}
