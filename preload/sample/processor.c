/* SPDX-License-Identifier: MIT */
/* processor.c - see processor.h. */
#include "preload/sample/processor.h"

#include "preload/base/cpu.h"

#include <linux/perf_event.h>

const struct processor_event processor_events[PROCESSOR_EVENTS] = {
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 1000003},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 10007},
    {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 10007},
};

/*
 * In 32 turns as many of each as in a period: 320 loads of a line that no cache has, 640 branches
 * that go either way by chance, half of which are foretold wrong, and 31,500 instructions with the
 * steps of a loop that does nothing.
 */
#define LOADS    320
#define BRANCHES 640
#define STEPS    8000

static void miss_caches(void)
{
	volatile char line[64] __attribute__((aligned(64)));
	int i;

	for (i = 0; i < LOADS; i++) {
		line[0] = (char)i;
		cpu_flush_line((const char *)line);
		(void)line[0];
	}
}

static void miss_branches(uint64_t seed)
{
	uint64_t chance = seed | 1;
	volatile uint32_t odd = 0;
	int i;

	for (i = 0; i < BRANCHES; i++) {
		chance ^= chance << 13;
		chance ^= chance >> 7;
		chance ^= chance << 17;
		if (chance & 1)
			odd++;
	}
}

void processor_provoke(uint64_t seed)
{
	int i;

	miss_caches();
	miss_branches(seed);
	for (i = 0; i < STEPS; i++)
		cpu_used(NULL);
}
