/* SPDX-License-Identifier: MIT */
/*
 * work_random.c - 200 callees of one function in random order: prediction cannot hide how a
 * context is looked for. The processor mispredicts the calls as well, with or without hooks.
 */
#include "tests/bench/work_callees.h"

void work(unsigned long pairs)
{
	static __thread unsigned state = 1;

	while (pairs--) {
		state = state * 1664525u + 1013904223u;
		callees[(state >> 16) * CALLEES >> 16]();
	}
}
