/* SPDX-License-Identifier: MIT */
/*
 * tick_fake.c - see tick_fake.h. Only the hooks' own readings advance this clock. Readings for the
 * library's slow work get the present count, so that the results that tests expect do not depend on
 * when a file grows.
 */
#include "preload/clock/tick_fake.h"

#include "preload/format.h"
#include "preload/clock/tick.h"

__thread uint64_t tick_fake_count;

uint32_t tick_init(void)
{
	return ZPROF_CLOCK_FAKE;
}

uint64_t tick_now(void)
{
	return tick_fake_count;
}

uint64_t tick_hz(void)
{
	return 1000000000u;
}

bool tick_distrust(uint64_t hz, uint64_t last)
{
	(void)hz;
	(void)last;
	return false;
}

void tick_stop(void)
{
}

void tick_pair(uint64_t *ticks, uint64_t *ns)
{
	*ticks = *ns = tick_fake_count;
}
