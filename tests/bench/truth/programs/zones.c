/* SPDX-License-Identifier: MIT */
/*
 * zones.c - 100 functions of all lengths, constant, mixed and long-tailed, whose true times
 * are known:
 *
 *   zones zones FILE   called at random, the first more often than the last
 *   zones order FILE   called in turn
 *
 * Writes `NAME CALLS NANOSECONDS` for each function into FILE. They do a number of steps each, and
 * do not look at the clock: that would take turns with the hooks' own readings, which a program's
 * work does not. What a step and a call cost is measured with twins without hooks, in the same
 * sequence.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/truth/programs/known.h"
#include "tests/bench/work.h"

/* About how many nanoseconds a call and return of an empty function takes. */
#define EMPTY_CALL_NS 2

enum { KINDS = 4, ALL_KINDS = 15 };
enum { ZONES = 100, CALLS = 1000000, ROUNDS = 5 };

static struct {
	uint64_t calls, steps;
} spent[ZONES];

/* Numbered as their names are: zone_100 to zone_199. */
#define ONE(n)                                                                                     \
	static APART void zone_##n(uint64_t steps)                                                 \
	{                                                                                          \
		chain(steps);                                                                      \
		__asm__ volatile("" : : "i"(n));                                                   \
	}                                                                                          \
	UNSEEN static APART void twin_##n(uint64_t steps)                                          \
	{                                                                                          \
		chain(steps);                                                                      \
		__asm__ volatile("" : : "i"(n));                                                   \
	}
#define NAMED(n)  zone_##n,
#define TWIN(n)   twin_##n,
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define ALL(X)                                                                                     \
	TEN(X, 10)                                                                                 \
	TEN(X, 11)                                                                                 \
	TEN(X, 12) TEN(X, 13) TEN(X, 14) TEN(X, 15) TEN(X, 16) TEN(X, 17) TEN(X, 18) TEN(X, 19)
ALL(ONE)
static void (*const zones[ZONES])(uint64_t steps) = {ALL(NAMED)};
static void (*const twins[ZONES])(uint64_t steps) = {ALL(TWIN)};

static uint64_t state;

UNSEEN static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

/* How many steps the next call of a zone is to take, by the zone's kind. */
UNSEEN static uint64_t length(int zone)
{
	uint64_t base = 60 + 6 * (uint64_t)(zone * 37 % 100), r;

	switch (zone % KINDS) {
	case 0:
		return base;
	case 1: /* one in 100 is 50 times as long */
		return random_below(100) ? base : 50 * base;
	case 2: /* half are twice as long as the others */
		return random_below(2) ? base : 2 * base;
	default: /* a long tail */
		r = random_below(1000) + 1;
		return base / 2 + base * 20 / r;
	}
}

/* Always the same sequence; `working`, a set of bits, says which kinds do their steps. */
UNSEEN static inline void call_all(void (*const functions[ZONES])(uint64_t), bool in_order,
				   unsigned working)
{
	int i;

	state = 88172645463325252u;
	memset(spent, 0, sizeof(spent));
	for (i = 0; i < CALLS; i++) {
		int zone = in_order ? i % ZONES : (int)random_below(random_below(ZONES) + 1);
		uint64_t steps = length(zone);

		functions[zone](working >> zone % KINDS & 1 ? steps : 0);
		spent[zone].calls++;
		spent[zone].steps += steps;
	}
}

static void run(bool in_order)
{
	call_all(zones, in_order, ALL_KINDS);
}

/* Nanoseconds of the whole sequence with the twins; the least of some rounds. */
UNSEEN static double twins_ns(bool in_order, unsigned working)
{
	double least = 1e18;
	int round;

	for (round = 0; round < ROUNDS; round++) {
		double start = now_ns();
		double took;

		call_all(twins, in_order, working);
		took = now_ns() - start;
		least = took < least ? took : least;
	}
	return least;
}

/* Nanoseconds a call takes besides its steps, by kind: mostly mispredictions of their number. */
UNSEEN static void find_beside(bool in_order, double step, double beside[KINDS])
{
	double none = twins_ns(in_order, 0);
	int kind, i;

	for (kind = 0; kind < KINDS; kind++) {
		double more = twins_ns(in_order, 1u << kind) - none;
		uint64_t calls = 0;

		for (i = kind; i < ZONES; i += KINDS) {
			more -= step * (double)spent[i].steps;
			calls += spent[i].calls;
		}
		beside[kind] = more / (double)calls + EMPTY_CALL_NS;
	}
}

UNSEEN int main(int argc, char **argv)
{
	bool in_order = argc == 3 && !strcmp(argv[1], "order");
	FILE *f = argc == 3 ? fopen(argv[2], "w") : NULL;
	double step = step_ns(), beside[KINDS];
	int i;

	if (!f) {
		fprintf(stderr, "usage: %s zones|order FILE\n", argv[0]);
		return 2;
	}
	find_beside(in_order, step, beside);
	run(in_order);
	for (i = 0; i < ZONES; i++)
		fprintf(f, "zone_%d %lu %.0f\n", 100 + i, (unsigned long)spent[i].calls,
			(double)spent[i].steps * step + (double)spent[i].calls * beside[i % KINDS]);
	return fclose(f) != 0;
}
