/* SPDX-License-Identifier: MIT */
/* shared.c - a program and its shared library call each other: the library's function calls back.
 */
#include "tests/programs/truth.h"

void library_each(void (*call_back)(int), int times);
int library_twice(int n);

static void call_back(int n)
{
	CALL(library_twice, n);
}

int main(void)
{
	truth_add("-", "main", 1, 1);
	CALL(library_each, call_back, 4);
	CALL(library_twice, 1);
	return 0;
}
