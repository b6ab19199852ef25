/* SPDX-License-Identifier: MIT */
/* timebase.c - see timebase.h. */
#include "preload/profile/timebase.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"

void timebase_refresh(struct process *p)
{
	if (sys_forbidden)
		return;
	if (p->header->mode != ZPROF_MODE_COUNT)
		tick_pair(&p->header->now_ticks, &p->header->now_ns);
	else if (p->clock != ZPROF_CLOCK_FAKE) /* no call is timed, but the process is */
		p->header->now_ns = sys_clock_ns(1);
}

void timebase_alive(struct process *p, uint64_t time_ns)
{
	if (p->header->mode == ZPROF_MODE_COUNT && p->clock != ZPROF_CLOCK_FAKE &&
	    time_ns > p->header->now_ns)
		p->header->now_ns = time_ns;
}

bool timebase_distrust(struct process *p, uint64_t last)
{
	if (!tick_distrust(p->hz, last))
		return false;
	p->header->clock = p->clock = ZPROF_CLOCK_MONOTONIC;
	if (p->header->mode != ZPROF_MODE_COUNT)
		losses_count(p, ZPROF_LOSS_CALIBRATION, 1);
	return true;
}

uint64_t timebase_is_back(struct process *p, uint64_t last, uint64_t now)
{
	losses_count(p, ZPROF_LOSS_CLOCK_BACK, 1);
	if (timebase_distrust(p, last))
		identity_note(p,
			      "the time stamp counter went backwards; CLOCK_MONOTONIC was used "
			      "from then on. Ticks back: ",
			      last - now);
	return tick_now();
}
