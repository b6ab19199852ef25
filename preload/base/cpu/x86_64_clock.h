/* SPDX-License-Identifier: MIT */
/* x86_64_clock.h - the processor's counter, as a clock. Included by preload/base/cpu.h. */
#ifndef ZPROF_CPU_X86_64_CLOCK_H
#define ZPROF_CPU_X86_64_CLOCK_H

#include <cpuid.h>

/* Counters run at 0.5 to 6 GHz: any other rate means that the counter jumped. */
#define CPU_COUNTER_LEAST_HZ 100000000u
#define CPU_COUNTER_MOST_HZ  20000000000u

/* A plain rdtsc: clock/tick_tsc.h has the reason. */
CPU uint64_t cpu_counter(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/*
 * CPUID 80000007h, EDX bit 8 (Intel SDM vol. 3 18.17.1, AMD APM vol. 3 "Advanced Power
 * Management"): constant rate, never stops.
 */
static inline bool cpu_counter_is_steady(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

#endif
