/* SPDX-License-Identifier: MIT */
/* tick_trust.c - is the time stamp counter of this machine a clock? */
#include "preload/clock/tick_trust.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/clock/tick.h"

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
	return cpu_counter_is_steady() && !kernel_distrusts();
}
