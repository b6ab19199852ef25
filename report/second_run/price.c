/* SPDX-License-Identifier: MIT */
/* price.c - see price.h. */
#include "report/second_run/price.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "report/second_run/rings.h"

#define ROUNDS    15
#define LEAST_NS  5e6
#define PERIOD_NS 100003

static double cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double spin(uint64_t turns)
{
	double begun = cpu_ns();
	for (volatile uint64_t i = 0; i < turns; i++)
		;
	return cpu_ns() - begun;
}

/* Finds a number of turns that takes some milliseconds. */
static uint64_t enough_turns(void)
{
	uint64_t turns = 1 << 16;
	while (spin(turns) < LEAST_NS && turns < (uint64_t)1 << 40)
		turns *= 2;
	return turns;
}

static double spin_sampled(uint64_t turns)
{
	struct str none = {0};
	bool kernel;
	struct rings *r = rings_open_here(PERIOD_NS, &kernel, &none);
	double ns = r ? spin(turns) : 0;
	if (r)
		rings_close(r);
	str_free(&none);
	return ns;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

double price_of_sample(void)
{
	double prices[ROUNDS];
	uint64_t turns = enough_turns();
	for (int i = 0; i < ROUNDS; i++) {
		double plain = spin(turns), sampled = spin_sampled(turns);
		prices[i] = (sampled - plain) / (sampled / PERIOD_NS);
	}
	qsort(prices, ROUNDS, sizeof *prices, by_size);
	double median = prices[ROUNDS / 2];
	return median > 0 ? median : 0;
}
