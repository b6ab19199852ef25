/* SPDX-License-Identifier: MIT */
/*
 * zones_again.c - an interpreter's generator: called once, and resumed below two others; and what the
 * interpreter says that it missed.
 */
#include "preload/zprof.h"

static void turns(uint32_t caller, uint32_t generator, int first)
{
	zprof_lent_enter(caller);
	for (int i = 0; i < 100; i++) {
		if (i == 0 && first)
			zprof_lent_enter(generator);
		else
			zprof_lent_reenter(generator);
		zprof_lent_leave();
	}
	zprof_lent_leave();
}

int main(void)
{
	uint32_t one = zprof_lent("one", "lang", 0, 1), two = zprof_lent("two", "lang", 0, 2),
		 generator = zprof_lent("generator", "lang", 0, 3);

	turns(one, generator, 1);
	turns(two, generator, 0);
	zprof_lent_missed(ZPROF_MISSED_BEGINNING, 4);
	zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
	zprof_lent_missed(77, 1);
	return 0;
}
