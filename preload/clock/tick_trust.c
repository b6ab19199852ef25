/* SPDX-License-Identifier: MIT */
/* tick_trust.c - is the time stamp counter of this machine a clock? */
#include "preload/clock/tick_trust.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"

#include <cpuid.h>

/*
 * CPUID 80000007h, EDX bit 8 (Intel SDM vol. 3 18.17.1, AMD APM vol. 3 "Advanced Power
 * Management"): constant rate, never stops.
 */
static bool invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

/*
 * The processor may promise an invariant TSC that the kernel found unusable (it differs between
 * sockets, a hypervisor migrates it). The kernel's verdict is its choice of clock source; a
 * paravirtual clock (kvm-clock, hyperv) is built on a sound TSC.
 */
static bool kernel_distrusts(void)
{
	char *source;
	size_t mapped;
	bool distrusts;
	long n = sys_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource",
			       &source, &mapped);

	if (n <= 0)
		return false;
	distrusts = !memcmp(source, "hpet", 4) || !memcmp(source, "acpi", 4) ||
		    !memcmp(source, "refi", 4) || !memcmp(source, "jiff", 4);
	sys_memory_free(source, mapped);
	return distrusts;
}

bool tick_trusted(void)
{
	return invariant() && !kernel_distrusts();
}
