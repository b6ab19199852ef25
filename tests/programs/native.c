/* SPDX-License-Identifier: MIT */
/*
 * native.c - takes a known share of its time in each context, for `zprof record --native`.
 *
 *   native ROUNDS
 *
 * In points of 100, where busy() takes next to no time in a great many calls:
 *
 *     few > work           30     one call a round
 *     many > work          10     a hundred calls a round
 *     jumps > work_behind  20     jumps has no frame any more: it ends by jumping there
 *     descend > descend..  10     ten deep
 *     host > "marked"      20     a zone marked by hand: it has no code of its own
 *     host                 10
 */
#include <stdio.h>
#include <stdlib.h>

#include "preload/zprof.h"

#define APART __attribute__((noinline, noclone))

static volatile unsigned sink;

/*
 * Each waits for the one before, and the first for the last of the call before: so many cycles,
 * wherever the loop lies, and in many short calls as in a long one.
 */
static inline __attribute__((always_inline, no_instrument_function)) void steps(int n)
{
	unsigned x = sink;

	while (n-- > 0) {
		x = x * 1664525u + 1013904223u;
		__asm__ volatile("" : "+r"(x));
	}
	sink = x;
}

APART static int busy(int n)
{
	__asm__ volatile("");
	return n + 1;
}

APART static void work(int n)
{
	steps(n);
}

APART static void few(void)
{
	work(30000);
	__asm__ volatile("");
}

APART static void many(void)
{
	int i;

	for (i = 0; i < 100; i++)
		work(100);
}

APART static void work_behind(int n)
{
	steps(n);
	sink++;
}

APART static void jumps(int n)
{
	work_behind(2 * n);
}

APART static void descend(int deep)
{
	steps(1000);
	if (deep > 1)
		descend(deep - 1);
	__asm__ volatile("");
}

APART static void host(void)
{
	steps(10000);
	ZPROF(marked);
	steps(20000);
}

__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	int i, n, rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (i = 0; i < rounds; i++) {
		few();
		many();
		jumps(10000);
		descend(10);
		host();
		for (n = 0; n < 300; n++)
			sink += (unsigned)busy(n);
	}
	puts("done");
	return argc > 2;
}
