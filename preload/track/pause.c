/* SPDX-License-Identifier: MIT */
/* pause.c - see pause.h. */
#include "preload/track/pause.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/sites/sites.h"
#include "preload/track/lineage.h"

bool pause_init(struct process *p, const struct process *from)
{
	uint32_t *page = sys_wiped_page();

	if (!page)
		return false;
	if (from)
		*p->pause = *from->pause;
	p->here = page;
	p->alive = page + 1;
	*p->here = 1;
	*p->alive = p->pause->depth == 0 && !p->options->check;
	return true;
}

bool pause_in_force(const struct process *p)
{
	return __atomic_load_n(&p->pause->depth, __ATOMIC_ACQUIRE) != 0;
}

/* Replaces the sum if it is still what was seen; false: *seen becomes what it is. */
static bool replace(struct pause_sum *sum, struct pause_sum *seen, uint64_t since, uint64_t total)
{
	return cpu_replace_pair(sum, &seen->since, &seen->total, since, total);
}

static struct pause_sum sum_of(struct process *p)
{
	struct pause_sum sum = {0, 0};

	replace(&p->pause->sum, &sum, 0, 0);
	return sum;
}

static void stop(struct process *p, uint64_t ticks)
{
	struct pause_sum sum = sum_of(p);

	p->pause->ever = true;
	if (!sum.since && !sys_forbidden)
		p->pause->since_ns = sys_clock_ns(1);
	while (!sum.since && !replace(&p->pause->sum, &sum, ticks ? ticks : 1, sum.total))
		;
	__atomic_store_n(__atomic_load_n(&p->alive, __ATOMIC_ACQUIRE), 0, __ATOMIC_RELEASE);
}

/* The word after the present one; a page is good for a thousand pauses. */
static uint32_t *next_word(struct process *p)
{
	uint32_t *word = p->alive + 1;

	return (uintptr_t)word % ZPROF_GRANULE ? word : sys_wiped_page();
}

static void go_on(struct process *p, uint64_t ticks)
{
	struct pause_sum sum = sum_of(p);
	uint32_t *word;

	while (sum.since) {
		uint64_t paused = ticks - sum.since;

		if (replace(&p->pause->sum, &sum, 0,
			    sum.total + ((int64_t)paused > 0 ? paused : 0)))
			break;
	}
	if (*p->alive)
		return;
	word = next_word(p);
	if (!word)
		return; /* no memory: it stays slow, and right */
	*word = !p->options->check;
	__atomic_store_n(&p->alive, word, __ATOMIC_RELEASE);
}

/* Brings all in line with `depth`, which others may change meanwhile. */
static void follow(struct process *p, uint64_t ticks)
{
	bool paused, slept;

	do {
		paused = pause_in_force(p);
		slept = p->sites->asleep;
		if (paused)
			stop(p, ticks);
		else if (sites_wake(p))
			go_on(p, slept ? tick_now() : ticks);
	} while (pause_in_force(p) != paused);
}

/*
 * To ask for the time takes longer than such a hook, so only one in some does. (Who controls the
 * clock counts hooks, and none is to vanish by itself.)
 */
#define ASKS 64

static bool lasts(struct process *p)
{
	return ++p->pause->met % ASKS == 0 && !sys_forbidden && p->clock != ZPROF_CLOCK_FAKE &&
	       sys_clock_ns(1) - p->pause->since_ns > sites_patience(p);
}

void pause_met(struct process *p, uintptr_t ret)
{
	if (p->sites->asleep) {
		sites_meet(p, ret);
	} else if (lasts(p)) {
		sites_sleep(p);
		if (!pause_in_force(p))
			follow(p, tick_now());
	}
}

void pause_begin(struct process *p, uint64_t ticks)
{
	if (!__atomic_fetch_add(&p->pause->depth, 1, __ATOMIC_ACQ_REL))
		follow(p, ticks);
}

bool pause_end(struct process *p, uint64_t ticks)
{
	uint32_t depth = __atomic_load_n(&p->pause->depth, __ATOMIC_RELAXED);

	do
		if (!depth)
			return false;
	while (!__atomic_compare_exchange_n(&p->pause->depth, &depth, depth - 1, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	if (depth == 1)
		follow(p, ticks);
	return true;
}

/* Ticks this process has been paused, as seen at a reading of the clock. */
static uint64_t paused_until(struct process *p, uint64_t ticks)
{
	struct pause_sum sum = sum_of(p);

	if (sum.since && (int64_t)(ticks - sum.since) > 0)
		sum.total += ticks - sum.since;
	return sum.total;
}

/*
 * A handler that came between reading the clock for a pause and beginning it has booked more than
 * the pause leaves: never is more taken off than there is since the last event.
 */
void pause_settle(struct track *track, uint64_t ticks)
{
	struct process *p = track->process;
	uint64_t total, gap, since = ticks - *track->last;

	if (track->level != 0 || !p->pause->ever)
		return;
	total = paused_until(p, ticks);
	gap = total - track->paused;
	if ((int64_t)gap > 0) {
		track->paused = total;
		if ((int64_t)since < 0)
			since = 0;
		if (gap > since)
			gap = since;
		track->lineage->record->active_ticks -= gap;
		*track->last += gap;
	}
	track->alive = __atomic_load_n(&p->alive, __ATOMIC_ACQUIRE);
}

void pause_owe_nothing(struct track *track, uint64_t ticks)
{
	track->alive = __atomic_load_n(&track->process->alive, __ATOMIC_ACQUIRE);
	track->paused = track->process->pause->ever ? paused_until(track->process, ticks) : 0;
}
