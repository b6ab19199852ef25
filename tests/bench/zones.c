/* SPDX-License-Identifier: MIT */
/*
 * zones.c - what a zone of zprof.h costs beside a pair of hooks: `make bench-zones`. The least of
 * many rounds counts, since the machine's other work only adds. Without the library it prints what
 * the calls cost then.
 */
#include <stdio.h>
#include <time.h>

#include "preload/zprof.h"

#define APART  __attribute__((noinline))
#define UNSEEN __attribute__((no_instrument_function))

enum { ROUNDS = 50, CALLS = 100000 };

static volatile int sink;
static uint64_t cycles, steps;
static uint32_t zone;

UNSEEN static APART void plain(void)
{
	sink++;
}

static APART void hooked(void)
{
	sink++;
}

UNSEEN static APART void by_hand(void)
{
	ZPROF(by_hand);
	sink++;
}

UNSEEN static APART void lent(void)
{
	zprof_lent_enter(zone);
	sink++;
	cycles += 3;
	steps += 2;
	zprof_lent_leave();
}

UNSEEN static double now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

UNSEEN static double measure(void (*function)(void))
{
	double best = 1e9;
	for (int round = 0; round < ROUNDS; round++) {
		double start = now_ns();
		for (int i = 0; i < CALLS; i++)
			function();
		double each = (now_ns() - start) / CALLS;
		best = each < best ? each : best;
	}
	return best;
}

UNSEEN int main(void)
{
	double bare, hooks, hand, one, two;
	zone = zprof_lent("zone", NULL, NULL, 0);
	bare = measure(plain);
	hooks = measure(hooked) - bare;
	hand = measure(by_hand) - bare;
	one = measure(lent) - bare;
	if (!zprof_recording()) {
		printf("without the library: by hand %.2f ns, lent %.2f ns\n", hand, one);
		return hand > 1 || one > 1;
	}
	zprof_lent_counter("cycles", &cycles);
	zprof_lent_counter("steps", &steps);
	two = measure(lent) - bare;
	printf("pair of hooks  %6.2f ns\n"
	       "by hand        %6.2f ns  %.2f times (limit 1.1)\n"
	       "lent           %6.2f ns  %.2f times\n"
	       "with 2 clocks  %6.2f ns  %.2f times (limit 1.3)\n",
	       hooks, hand, hand / hooks, one, one / hooks, two, two / hooks);
	return hand > 1.1 * hooks || two > 1.3 * hooks;
}
