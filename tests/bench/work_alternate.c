/* SPDX-License-Identifier: MIT */
/*
 * work_alternate.c - one callee of two callers, in turn: a profiler that looks for the context by
 * the function, or remembers one caller for each, misses every time.
 */
#include "tests/bench/work.h"

static APART void callee(void)
{
	__asm__ volatile("");
}

static APART void one(void)
{
	callee();
	__asm__ volatile("");
}

static APART void other(void)
{
	callee();
	__asm__ volatile("" ::: "memory");
}

void work(unsigned long pairs)
{
	unsigned long i;

	for (i = 0; i < pairs; i += 4) {
		one();
		other();
	}
}
