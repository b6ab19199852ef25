/* SPDX-License-Identifier: MIT */
/*
 * processor_made_up.c - in place of processor.c: gives the names of the processor's counters to events
 * of the kernel that each machine has.
 *
 *   instructions    nanoseconds of CPU time
 *   cache-misses    nothing: no machine has such an event
 *   branch-misses   page faults, of which each seventh has a note
 */
#include "preload/sample/processor.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"

#include <linux/perf_event.h>

#define NO_TYPE 0x7ffffff0u

const struct processor_event processor_events[PROCESSOR_EVENTS] = {
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 100003},
    {NO_TYPE, 0, 1},
    {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 7},
};

void processor_provoke(uint64_t seed)
{
	char *page = sys_memory(1);

	if (page) {
		*(volatile char *)page = (char)seed;
		sys_memory_free(page, 1);
	}
	cpu_work(10000);
}
