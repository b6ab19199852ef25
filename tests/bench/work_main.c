/* SPDX-License-Identifier: MIT */
/*
 * work_main.c - times a workload, slice by slice: `PROGRAM SLICES PAIRS [THREADS]`.
 *
 * Prints one line: the slices timed, the calls of one slice where a library that counts them is
 * preloaded (else 0), nanoseconds of the quickest slice, of all of them, and the process's peak of
 * memory. A slice before the first is not timed. With threads, all begin a slice together, and it
 * lasts until the last has ended; the calls are those of one thread.
 *
 * Never instrumented, so that nothing but the work is measured.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/bench/work.h"

enum { THREADS_MAX = 64 };

/* Of floor_count.c, where that is preloaded. */
extern uint64_t bench_pairs(void) __attribute__((weak));
/* Of work_xray.cc, where that is linked. */
extern void bench_begin(void) __attribute__((weak));
extern void bench_end(void) __attribute__((weak));

static unsigned long slices, pairs, threads = 1;
static atomic_ulong arrived, last_ns;
static uint64_t least_ns = UINT64_MAX, whole_ns;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Returns when all threads have come here this many times. */
static void meet(unsigned long times)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < times * threads)
		;
}

static void note_longest(uint64_t ns)
{
	unsigned long seen = atomic_load(&last_ns);

	while (ns > seen && !atomic_compare_exchange_weak(&last_ns, &seen, ns))
		;
}

static void *run(void *leader)
{
	unsigned long slice, meetings = 0;
	uint64_t start;

	work(pairs);
	for (slice = 0; slice < slices; slice++) {
		meet(++meetings);
		start = now_ns();
		work(pairs);
		note_longest(now_ns() - start);
		meet(++meetings);
		if (leader) {
			uint64_t ns = atomic_exchange(&last_ns, 0);

			whole_ns += ns;
			least_ns = ns < least_ns ? ns : least_ns;
		}
		meet(++meetings);
	}
	return NULL;
}

static long peak_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	long kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %ld kB", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}

int main(int argc, char **argv)
{
	pthread_t others[THREADS_MAX];
	unsigned long i;
	uint64_t counted;

	slices = argc > 2 ? strtoul(argv[1], NULL, 10) : 0;
	pairs = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	if (argc > 3)
		threads = strtoul(argv[3], NULL, 10);
	if (!slices || !pairs || !threads || threads > THREADS_MAX) {
		fprintf(stderr, "usage: %s SLICES PAIRS [THREADS]\n", argv[0]);
		return 2;
	}
	if (bench_begin)
		bench_begin();
	counted = bench_pairs ? bench_pairs() : 0;
	for (i = 1; i < threads; i++)
		if (pthread_create(&others[i], NULL, run, NULL)) {
			fprintf(stderr, "%s: cannot create thread %lu\n", argv[0], i);
			return 1;
		}
	run(&others);
	for (i = 1; i < threads; i++)
		pthread_join(others[i], NULL);
	if (bench_end)
		bench_end();
	counted = bench_pairs ? (bench_pairs() - counted) / (slices + 1) / threads : 0;
	printf("slices %lu pairs %lu least_ns %lu whole_ns %lu peak_kb %ld\n", slices,
	       (unsigned long)counted, (unsigned long)least_ns, (unsigned long)whole_ns, peak_kb());
	return 0;
}
