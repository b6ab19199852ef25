/* SPDX-License-Identifier: MIT */
/*
 * sampled_shares.c - a program that knows how its processor time is shared: three functions run in
 * turns of 30 to 290 us, chosen and measured by a generator of numbers with one seed, until the thread
 * has used half a second. Prints the share of each function by the thread's own clock. (The lengths
 * change, so that turns keep no step with samples.)
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define ALONE __attribute__((noinline, noclone))

static volatile unsigned long sink;
static uint64_t state = 1;

static uint64_t next(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

static int64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline __attribute__((always_inline)) int64_t run(int64_t begin, int64_t ns)
{
	int64_t now;

	do {
		for (int i = 0; i < 2000; i++)
			sink++;
		now = thread_ns();
	} while (now - begin < ns);
	return now;
}

static ALONE int64_t often(int64_t begin, int64_t ns)
{
	int64_t end = run(begin, ns);
	sink += 1;
	return end;
}

static ALONE int64_t seldom(int64_t begin, int64_t ns)
{
	int64_t end = run(begin, ns);
	sink += 2;
	return end;
}

static ALONE int64_t rarely(int64_t begin, int64_t ns)
{
	int64_t end = run(begin, ns);
	sink += 3;
	return end;
}

int main(void)
{
	int64_t begin = thread_ns(), now = begin, sums[3] = {0};

	while (now - begin < 500000000) {
		uint64_t which = next(10);
		int64_t ns = 30000 + (int64_t)next(260000), from = now;

		now = which < 6 ? often(from, ns) : which < 9 ? seldom(from, ns) : rarely(from, ns);
		sums[which < 6 ? 0 : which < 9 ? 1 : 2] += now - from;
	}
	printf("often %.6f\nseldom %.6f\nrarely %.6f\n", (double)sums[0] / (double)(now - begin),
	       (double)sums[1] / (double)(now - begin), (double)sums[2] / (double)(now - begin));
	return 0;
}
