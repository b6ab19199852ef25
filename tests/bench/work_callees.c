/* SPDX-License-Identifier: MIT */
/* work_callees.c - 200 callees of one function, in order: a list of siblings costs its length. */
#include "tests/bench/work_callees.h"

void work(unsigned long pairs)
{
	unsigned long i, n;

	for (i = 0; i < pairs; i += CALLEES)
		for (n = 0; n < CALLEES; n++)
			callees[n]();
}
