/* SPDX-License-Identifier: MIT */
/*
 * outer.h - outer() calls middle() twice, and middle() calls leaf() ten times: for programs that are
 * recorded in parts. To be included once, by a program's one file, which has count() and `sink`, and
 * LEAF, MIDDLE and OUTER for count().
 */
#ifndef TESTS_OUTER_H
#define TESTS_OUTER_H

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif

APART static int leaf(int x)
{
	count(LEAF);
	sink += x;
	return x * 3 + 1;
}

APART static int middle(int x)
{
	int i, sum = 0;

	count(MIDDLE);
	for (i = 0; i < 10; i++)
		sum += leaf(x + i);
	return sum;
}

APART static int outer(int x)
{
	count(OUTER);
	return middle(x) + middle(x + 1) + 1;
}

#endif
