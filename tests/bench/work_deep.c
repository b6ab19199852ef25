/* SPDX-License-Identifier: MIT */
/* work_deep.c - a recursion 1,000 deep, down and up: as many contexts, each used once a round. */
#include "tests/bench/work.h"

enum { DEPTH = 1000 };

static APART void down(int levels)
{
	if (levels > 1)
		down(levels - 1);
	__asm__ volatile("");
}

void work(unsigned long pairs)
{
	unsigned long i;

	for (i = 0; i < pairs; i += DEPTH)
		down(DEPTH);
}
