/* SPDX-License-Identifier: MIT */
/* work_leaf.c - one small function, called again and again: the least a pair of hooks can cost. */
#include "tests/bench/work.h"

static APART void leaf(void)
{
	__asm__ volatile("");
}

void work(unsigned long pairs)
{
	while (pairs--)
		leaf();
}
