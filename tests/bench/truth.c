/* SPDX-License-Identifier: MIT */
/*
 * truth.c - programs whose true split of time is known, to hold a profile's times against:
 *
 *   truth split FILE   a busy function, called 100 times, beside a tiny one, called 2 million
 * times: 30 to 1 truth rare FILE    one that takes 10 ms, called 100 times, beside one called 100
 * million times, of which a single call takes 10 ms
 *
 * Writes `NAME CALLS NANOSECONDS` for each function into FILE. What is long spins, in code that is
 * not instrumented, and notes what it took by the clock; what is short does a known piece of work.
 * What a call costs beside that, without hooks, is measured with uninstrumented twins, and is part
 * of the truth.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/bench/truth.h"
#include "tests/bench/work.h"

enum { SPINNING = 3, TWIN_CALLS = 20000, TWIN_ROUNDS = 50 };

static struct {
	uint64_t calls, ticks;
} spent[SPINNING];

UNSEEN static inline void spin(int zone, uint64_t ticks)
{
	uint64_t start = now(), took;

	do
		took = now() - start;
	while (took < ticks);
	spent[zone].calls++;
	spent[zone].ticks += took;
}

/* A few dependent operations: some nanoseconds. */
UNSEEN static inline unsigned long tiny_work(unsigned long x)
{
	int i;

	for (i = 0; i < 4; i++) {
		x = x * 6364136223846793005u + 1;
		UNKNOWN(x);
	}
	return x;
}

static APART void busy(uint64_t ticks)
{
	spin(0, ticks);
}

static APART unsigned long tiny(unsigned long x)
{
	return tiny_work(x);
}

static APART unsigned long often(unsigned long x, uint64_t ticks)
{
	if (ticks)
		spin(1, ticks);
	return tiny_work(x);
}

UNSEEN static APART unsigned long tiny_twin(unsigned long x)
{
	return tiny_work(x);
}

UNSEEN static APART void spin_twin(uint64_t ticks)
{
	spin(2, ticks);
}

/* Ticks a call of tiny() takes, its caller's loop included; the least of many rounds. */
UNSEEN static double tiny_ticks(void)
{
	double least = 1e9;
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < TWIN_ROUNDS; round++) {
		uint64_t start = now();
		double each;

		for (i = 0; i < TWIN_CALLS; i++)
			x = tiny_twin(x);
		each = (double)(now() - start) / TWIN_CALLS;
		least = each < least ? each : least;
	}
	UNKNOWN(x);
	return least;
}

/* Ticks a call takes beside what spin() notes. */
UNSEEN static double beside_ticks(void)
{
	double least = 1e9;
	int round, i;

	for (round = 0; round < TWIN_ROUNDS; round++) {
		uint64_t before = spent[2].ticks, start = now();
		double each;

		for (i = 0; i < TWIN_CALLS / 10; i++)
			spin_twin(0);
		each = (double)(now() - start - (spent[2].ticks - before)) / (TWIN_CALLS / 10);
		least = each < least ? each : least;
	}
	memset(&spent[2], 0, sizeof(spent[0]));
	return least;
}

static void run_split(uint64_t ticks)
{
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < 100; round++) {
		for (i = 0; i < 20000; i++)
			x = tiny(x);
		busy(ticks);
	}
	UNKNOWN(x);
}

static void run_rare(uint64_t ticks)
{
	unsigned long x = 1;
	int round, i;

	for (round = 0; round < 100; round++) {
		for (i = 0; i < 1000000; i++)
			x = often(x, round == 57 && i == 123456 ? ticks : 0);
		busy(ticks);
	}
	UNKNOWN(x);
}

UNSEEN int main(int argc, char **argv)
{
	double each = tiny_ticks(), beside = beside_ticks(), ns = ns_per_tick();
	FILE *f = argc == 3 ? fopen(argv[2], "w") : NULL;
	struct others others;

	if (!f) {
		fprintf(stderr, "usage: %s split|rare FILE\n", argv[0]);
		return 2;
	}
	others_begin(&others);
	if (!strcmp(argv[1], "split")) {
		run_split((uint64_t)(30 * 20000 * each));
		fprintf(f, "tiny 2000000 %.0f\n", 2e6 * each * ns);
	} else {
		run_rare((uint64_t)(1e7 / ns));
		fprintf(f, "often 100000000 %.0f\n", (1e8 * each + (double)spent[1].ticks) * ns);
	}
	others_print(&others);
	fprintf(f, "busy %lu %.0f\n", (unsigned long)spent[0].calls,
		((double)spent[0].ticks + (double)spent[0].calls * beside) * ns);
	return fclose(f) != 0;
}
