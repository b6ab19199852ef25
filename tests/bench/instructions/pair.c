/* SPDX-License-Identifier: MIT */
/*
 * pair.c - instructions of the hooks of one call, in a machine whose clock counts instructions
 * (run.sh). Prints that number.
 *
 * The same loop calls a function with hooks, and one without. Each takes the least of many turns,
 * which is one that no interrupt of the kernel's came into. How many instructions a tick of the
 * counter is, is known from a row of instructions that do nothing.
 */
#include "preload/base/cpu.h"

#include <stdint.h>
#include <stdio.h>

#define APART __attribute__((noinline, noclone, noipa))
#define BARE  APART __attribute__((no_instrument_function))

enum { CALLS = 2000, TURNS = 40, NOTHINGS = 60000 };

APART static void with_hooks(void)
{
	__asm__ volatile("");
}

BARE static void without(void)
{
	__asm__ volatile("");
}

BARE static void nothings(void)
{
	__asm__ volatile(".rept 60000\n\tnop\n\t.endr");
}

/* The caller has hooks, too: where functions have no exit hook, that is the usual way of an entry. */
APART static void calls_with_hooks(void)
{
	for (int i = 0; i < CALLS; i++)
		with_hooks();
}

BARE static void calls_without(void)
{
	for (int i = 0; i < CALLS; i++)
		without();
}

BARE static uint64_t least(void (*work)(void))
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TURNS; i++) {
		uint64_t begin = cpu_counter(), ticks;

		work();
		ticks = cpu_counter() - begin;
		if (ticks < least)
			least = ticks;
	}
	return least;
}

APART static void measure(void)
{
	double per_tick = NOTHINGS / (double)least(nothings);

	printf("%.2f\n",
	       per_tick * (double)(least(calls_with_hooks) - least(calls_without)) / CALLS);
}

int main(void)
{
	measure();
	return 0;
}
