/* SPDX-License-Identifier: MIT */
/* tick_tsc.c - which clock to trust, and how fast it runs. */
#include "preload/tick_tsc.h"

#include "preload/format.h"
#include "preload/sys.h"
#include "preload/text.h"
#include "preload/tick.h"

#include <cpuid.h>

uint32_t tick_by_system;

static uint64_t first_ticks, first_ns;

uint64_t tick_system(void)
{
	return sys_clock_ns(1);
}

/* CPUID 80000007h, EDX bit 8 (Intel SDM vol. 3 18.17.1, AMD APM vol. 3 "Advanced Power Management"): constant rate, never stops. */
static bool invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

/*
 * The processor may promise an invariant TSC that the kernel found unusable (it differs between sockets, a hypervisor
 * migrates it). The kernel's verdict is its choice of clock source; a paravirtual clock (kvm-clock, hyperv) is built on a sound TSC.
 */
static bool kernel_distrusts(void)
{
	char *source;
	size_t mapped;
	bool distrusts;
	long n = sys_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource", &source, &mapped);

	if (n <= 0)
		return false;
	distrusts = !memcmp(source, "hpet", 4) || !memcmp(source, "acpi", 4) || !memcmp(source, "refi", 4) ||
		    !memcmp(source, "jiff", 4);
	sys_memory_free(source, mapped);
	return distrusts;
}

uint32_t tick_init(void)
{
	tick_by_system = !invariant() || kernel_distrusts();
	tick_pair(&first_ticks, &first_ns);
	return tick_by_system ? ZPROF_CLOCK_MONOTONIC : ZPROF_CLOCK_TSC;
}

uint64_t tick_now(void)
{
	return tick_read();
}

/* The clock call is bracketed by two readings, and the tightest of three brackets is taken: an interruption widens one. */
void tick_pair(uint64_t *ticks, uint64_t *ns)
{
	uint64_t best = UINT64_MAX;
	int i;

	for (i = 0; i < 3; i++) {
		uint64_t before = tick_read(), between = sys_clock_ns(1), after = tick_read();

		if (after - before < best) {
			best = after - before;
			*ticks = before + best / 2;
			*ns = between;
		}
	}
}

uint64_t tick_hz(void)
{
	uint64_t ticks, ns;

	if (tick_by_system)
		return 1000000000u;
	tick_pair(&ticks, &ns);
	if (ns <= first_ns || ticks <= first_ticks)
		return 0;
	return (uint64_t)((unsigned __int128)(ticks - first_ticks) * 1000000000u / (ns - first_ns));
}
