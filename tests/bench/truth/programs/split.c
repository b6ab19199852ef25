/* SPDX-License-Identifier: MIT */
/*
 * split.c - programs whose true split of time is known, to compare a profile's times with:
 *
 *   split split FILE   a busy function, called 100 times, beside a tiny one, called 2 million times:
 *                      30 to 1
 *   split rare FILE    one that takes 10 ms, called 100 times, beside one called 100 million times,
 *                      of which a single call takes 10 ms
 *
 * Writes `NAME CALLS NANOSECONDS` for each function into FILE. All of them do a known number of
 * steps. What a step takes, and a call of the tiny function without hooks, is measured before.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/truth/programs/known.h"

enum { TURNS = 100, TINY_CALLS = 20000, OFTEN_CALLS = 1000000, TINY_STEPS = 4 };
enum { TWIN_ROUNDS = 50 };

static APART void busy(uint64_t steps)
{
	chain(steps);
}

/* Some nanoseconds. */
UNSEEN static inline unsigned long tiny_work(unsigned long x)
{
	int i;

	for (i = 0; i < TINY_STEPS; i++) {
		x = x * 6364136223846793005u + 1;
		UNKNOWN(x);
	}
	return x;
}

static APART unsigned long tiny(unsigned long x)
{
	return tiny_work(x);
}

static APART unsigned long often(unsigned long x, uint64_t steps)
{
	if (steps)
		chain(steps);
	return tiny_work(x);
}

UNSEEN static APART unsigned long tiny_twin(unsigned long x)
{
	return tiny_work(x);
}

/* Nanoseconds a call of tiny() takes, its caller's loop included; the least of many rounds. */
UNSEEN static double tiny_ns(void)
{
	double least = 1e9;
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < TWIN_ROUNDS; round++) {
		double start = now_ns();
		double each;

		for (i = 0; i < TINY_CALLS; i++)
			x = tiny_twin(x);
		each = (now_ns() - start) / TINY_CALLS;
		least = each < least ? each : least;
	}
	UNKNOWN(x);
	return least;
}

static void run_split(uint64_t steps)
{
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < TURNS; round++) {
		for (i = 0; i < TINY_CALLS; i++)
			x = tiny(x);
		busy(steps);
	}
	UNKNOWN(x);
}

static void run_rare(uint64_t steps)
{
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < TURNS; round++) {
		for (i = 0; i < OFTEN_CALLS; i++)
			x = often(x, round == 57 && i == 123456 ? steps : 0);
		busy(steps);
	}
	UNKNOWN(x);
}

UNSEEN int main(int argc, char **argv)
{
	double each = tiny_ns(), step = step_ns();
	FILE *f = argc == 3 ? fopen(argv[2], "w") : NULL;
	uint64_t steps;

	if (!f) {
		fprintf(stderr, "usage: %s split|rare FILE\n", argv[0]);
		return 2;
	}
	if (!strcmp(argv[1], "split")) {
		steps = (uint64_t)(30 * TINY_CALLS * each / step);
		run_split(steps);
		fprintf(f, "tiny %d %.0f\n", TURNS * TINY_CALLS, TURNS * TINY_CALLS * each);
	} else {
		steps = (uint64_t)(1e7 / step);
		run_rare(steps);
		fprintf(f, "often %d %.0f\n", TURNS * OFTEN_CALLS,
			(double)TURNS * OFTEN_CALLS * each + (double)steps * step);
	}
	fprintf(f, "busy %d %.0f\n", TURNS, TURNS * (double)steps * step);
	return fclose(f) != 0;
}
