/* SPDX-License-Identifier: MIT */
/* aarch64_clock.h - the processor's counter, as a clock. Included by preload/base/cpu.h. */
#ifndef ZPROF_CPU_AARCH64_CLOCK_H
#define ZPROF_CPU_AARCH64_CLOCK_H

/* The system's counter runs at 1 MHz to 1 GHz (Arm ARM, D12.1.1). */
#define CPU_COUNTER_LEAST_HZ 1000000u
#define CPU_COUNTER_MOST_HZ  20000000000u

/* Without `isb`: as on x86-64, the reading can slip by a few instructions. */
CPU uint64_t cpu_counter(void)
{
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	return ticks;
}

/* The architecture promises a constant rate, and one counter for all processors. */
static inline bool cpu_counter_is_steady(void)
{
	return true;
}

#endif
