/* SPDX-License-Identifier: MIT */
/*
 * frames_named.c - calls of zones that are marked by hand, and of words that an interpreter lends: turn
 * 1 2 ... N, of which number SLOW calls step() 100 times, the others 5 times.
 */
#include "preload/zprof.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf out;

void step(void)
{
}

static void steps(int n)
{
	while (n--)
		step();
}

static void physics(int n)
{
	ZPROF_BEGIN(phase);
	steps(n);
	ZPROF_END;
}

/* A word that an error leaves. */
static void interpret(uint32_t word)
{
	zprof_lent_enter(word);
	steps(1);
	longjmp(out, 1);
}

/* The name is asked for at the word's first call. */
__attribute__((no_instrument_function)) static void tell(void *context, struct zprof_function *f)
{
	f->name = context;
	f->group = "words";
}

static char late_name[] = "late-word";

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 100, slow = argc > 2 ? atoi(argv[2]) : 0;
	uint32_t word = zprof_lent("word", "words", "", 0), late = zprof_lent_late(tell, late_name);

	for (int i = 1; i <= turns; i++) {
		int n = i == slow ? 100 : 5;

		physics(n);
		zprof_lent_enter(word);
		steps(n);
		zprof_lent_enter(late);
		steps(n);
		zprof_lent_replace(late, 0); /* a tail call of itself */
		steps(1);
		zprof_lent_leave();
		zprof_lent_leave();
		if (!setjmp(out))
			interpret(word);
	}
	return 0;
}
