/* SPDX-License-Identifier: MIT */
/* paused.c - see paused.h. */
#include "preload/track/paused.h"

#include "preload/process/process.h"
#include "preload/recording/pause.h"
#include "preload/track/lineage.h"

/*
 * Never takes off more than the ticks since the last event: a handler may come between the clock
 * reading with which a pause begins and its beginning, and charge ticks that belong to the pause.
 */
void paused_settle_until(struct track *track, uint64_t ticks, uint64_t total)
{
	uint64_t gap = total - track->paused, since = ticks - *track->last;

	if ((int64_t)gap <= 0)
		return;
	track->paused = total;
	if ((int64_t)since < 0)
		since = 0;
	if (gap > since)
		gap = since;
	track->lineage->record->active_ticks -= gap;
	*track->last += gap;
}

void paused_settle(struct track *track, uint64_t ticks)
{
	struct process *p = track->process;

	if (track->level != 0)
		return;
	pause_mend(p, ticks);
	if (p->pause->ever)
		paused_settle_until(track, ticks, pause_until(p, ticks));
	track->alive = __atomic_load_n(&p->alive, __ATOMIC_ACQUIRE);
}

void paused_owe_nothing(struct track *track, uint64_t ticks)
{
	track->alive = __atomic_load_n(&track->process->alive, __ATOMIC_ACQUIRE);
	track->paused = track->process->pause->ever ? pause_until(track->process, ticks) : 0;
}
