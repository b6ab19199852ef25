/* SPDX-License-Identifier: MIT */
/*
 * truth.c - programs whose true split of time is known, to hold a profile's times against:
 *
 *   truth split FILE   a busy function, called 100 times, beside a tiny one, called 5 million
 * times: 30 to 1 truth rare FILE    one that takes 10 ms, called 100 times, beside one called 100
 * million times, of which a single call takes 10 ms truth zones FILE   100 functions of all lengths
 * and frequencies, constant, mixed, long-tailed
 *
 * Writes `NAME CALLS NANOSECONDS` for each function into FILE. Time is spent in spin(), which is
 * not instrumented and notes what it took by the clock: so the truth is that of this very run,
 * whatever else the machine does. What a call costs beside that, without hooks, is measured with
 * uninstrumented twins of the functions, and is part of the truth. What the truth cannot know is
 * what others took of the processor between the spins: so it prints the part of the time in which
 * this program did not run.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/work.h"

enum { ZONES = 100, TWIN_CALLS = 20000, TWIN_ROUNDS = 50 };

static struct {
	uint64_t calls, ticks;
} spent[ZONES];

UNSEEN static inline uint64_t now(void)
{
	return __builtin_ia32_rdtsc();
}

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
	spin(ZONES - 1, ticks);
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
		uint64_t before = spent[ZONES - 1].ticks, start = now();
		double each;

		for (i = 0; i < TWIN_CALLS / 10; i++)
			spin_twin(0);
		each =
		    (double)(now() - start - (spent[ZONES - 1].ticks - before)) / (TWIN_CALLS / 10);
		least = each < least ? each : least;
	}
	memset(&spent[ZONES - 1], 0, sizeof(spent[0]));
	return least;
}

/* The 100 functions, numbered as their names are: zone_100 to zone_199. */
#define ONE(n)                                                                                     \
	static APART void zone_##n(uint64_t ticks)                                                 \
	{                                                                                          \
		spin(n - 100, ticks);                                                              \
	}
#define NAMED(n)  zone_##n,
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define ALL(X)                                                                                     \
	TEN(X, 10)                                                                                 \
	TEN(X, 11)                                                                                 \
	TEN(X, 12) TEN(X, 13) TEN(X, 14) TEN(X, 15) TEN(X, 16) TEN(X, 17) TEN(X, 18) TEN(X, 19)
ALL(ONE)
static void (*const zones[ZONES])(uint64_t ticks) = {ALL(NAMED)};

UNSEEN static uint64_t random_below(uint64_t n)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % n;
}

/* How long the next call of a zone is to take, by the zone's kind. */
UNSEEN static uint64_t length(int zone)
{
	uint64_t base = 200 + 20 * (uint64_t)(zone * 37 % 100), r;

	switch (zone % 4) {
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

/* At random, the first are called more often than the last. */
static void run_zones(bool in_order)
{
	int i;

	for (i = 0; i < 1000000; i++) {
		int zone = in_order ? i % ZONES : (int)random_below(random_below(ZONES) + 1);

		zones[zone](length(zone));
	}
}

UNSEEN static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

UNSEEN static double ns_per_tick(void)
{
	double begin = seconds(CLOCK_MONOTONIC), end;
	uint64_t start = now(), ticks;

	do {
		end = seconds(CLOCK_MONOTONIC);
		ticks = now() - start;
	} while (end - begin < 0.05);
	return (end - begin) * 1e9 / (double)ticks;
}

UNSEEN static void print_zone(FILE *f, const char *program, int zone, double time_ns)
{
	if (!strcmp(program, "split") || !strcmp(program, "rare"))
		fprintf(f, "busy");
	else
		fprintf(f, "zone_%d", 100 + zone);
	fprintf(f, " %lu %.0f\n", (unsigned long)spent[zone].calls, time_ns);
}

UNSEEN int main(int argc, char **argv)
{
	double each = tiny_ticks(), beside = beside_ticks(), ns = ns_per_tick(), wall, ran;
	FILE *f = argc == 3 ? fopen(argv[2], "w") : NULL;
	int i;

	if (!f) {
		fprintf(stderr, "usage: %s split|rare|zones|order FILE\n", argv[0]);
		return 2;
	}
	wall = seconds(CLOCK_MONOTONIC);
	ran = seconds(CLOCK_PROCESS_CPUTIME_ID);
	if (!strcmp(argv[1], "split")) {
		run_split((uint64_t)(30 * 20000 * each));
		fprintf(f, "tiny 2000000 %.0f\n", 2e6 * each * ns);
	} else if (!strcmp(argv[1], "rare")) {
		run_rare((uint64_t)(1e7 / ns));
		fprintf(f, "often 100000000 %.0f\n", (1e8 * each + (double)spent[1].ticks) * ns);
		spent[1].calls = 0;
	} else {
		run_zones(!strcmp(argv[1], "order"));
	}
	wall = seconds(CLOCK_MONOTONIC) - wall;
	ran = seconds(CLOCK_PROCESS_CPUTIME_ID) - ran;
	printf("%.4f\n", 1 - ran / wall);
	for (i = 0; i < ZONES; i++)
		if (spent[i].calls)
			print_zone(f, argv[1], i,
				   ((double)spent[i].ticks + (double)spent[i].calls * beside) * ns);
	return fclose(f) != 0;
}
