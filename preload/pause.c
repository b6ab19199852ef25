/* SPDX-License-Identifier: MIT */
/* pause.c - see pause.h. */
#include "preload/pause.h"

#include "preload/lineage.h"
#include "preload/sys.h"

bool pause_init(struct process *p, const struct process *from)
{
	uint32_t *page = process_wiped_page();

	if (!page)
		return false;
	if (from)
		p->pause = from->pause;
	p->pause.sequence = 0;
	p->pause.end = page + ZPROF_GRANULE / sizeof(*page);
	p->here = page;
	p->alive = page + 1;
	*p->here = 1;
	*p->alive = p->pause.depth == 0 && !p->options.check;
	return true;
}

static void change(struct process *p, uint64_t since, uint64_t total)
{
	__atomic_add_fetch(&p->pause.sequence, 1, __ATOMIC_ACQ_REL);
	p->pause.since = since;
	p->pause.total = total;
	__atomic_add_fetch(&p->pause.sequence, 1, __ATOMIC_ACQ_REL);
}

void pause_begin(struct process *p, uint64_t ticks)
{
	if (__atomic_fetch_add(&p->pause.depth, 1, __ATOMIC_ACQ_REL))
		return;
	change(p, ticks ? ticks : 1, p->pause.total);
	p->pause.ever = true;
	__atomic_store_n(p->alive, 0, __ATOMIC_RELEASE);
}

/* The word after the present one; a page is good for a thousand pauses. */
static uint32_t *next_word(struct process *p)
{
	uint32_t *word = p->alive + 1, *page;

	if (word < p->pause.end)
		return word;
	page = process_wiped_page();
	if (!page)
		return NULL;
	p->pause.end = page + ZPROF_GRANULE / sizeof(*page);
	return page;
}

bool pause_end(struct process *p, uint64_t ticks)
{
	uint32_t depth = __atomic_load_n(&p->pause.depth, __ATOMIC_RELAXED), *word;
	uint64_t paused = ticks - p->pause.since;

	do
		if (!depth)
			return false;
	while (!__atomic_compare_exchange_n(&p->pause.depth, &depth, depth - 1, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	if (depth > 1)
		return true;
	change(p, 0, p->pause.total + ((int64_t)paused > 0 ? paused : 0));
	word = next_word(p);
	if (!word)
		return true; /* no memory: it stays slow, and right */
	*word = !p->options.check;
	__atomic_store_n(&p->alive, word, __ATOMIC_RELEASE);
	return true;
}

bool pause_in_force(const struct process *p)
{
	return __atomic_load_n(&p->pause.depth, __ATOMIC_ACQUIRE) != 0;
}

/* Ticks this process has been paused, as seen at a reading of the clock. */
static uint64_t paused_until(const struct process *p, uint64_t ticks)
{
	uint32_t before, after;
	uint64_t since, total;

	for (;;) {
		before = __atomic_load_n(&p->pause.sequence, __ATOMIC_ACQUIRE);
		since = __atomic_load_n(&p->pause.since, __ATOMIC_ACQUIRE);
		total = __atomic_load_n(&p->pause.total, __ATOMIC_ACQUIRE);
		after = __atomic_load_n(&p->pause.sequence, __ATOMIC_ACQUIRE);
		if (before == after && !(before & 1))
			break;
		sys0(SYS_sched_yield);
	}
	if (since && (int64_t)(ticks - since) > 0)
		total += ticks - since;
	return total;
}

void pause_settle(struct track *track, uint64_t ticks)
{
	struct process *p = track->process;
	uint64_t total, gap;

	if (track->level != 0 || !p->pause.ever)
		return;
	total = paused_until(p, ticks);
	gap = total - track->paused;
	if ((int64_t)gap > 0) {
		track->paused = total;
		track->lineage->record->active_ticks -= gap;
		*track->last += gap;
	}
	track->alive = __atomic_load_n(&p->alive, __ATOMIC_ACQUIRE);
}

void pause_owe_nothing(struct track *track, uint64_t ticks)
{
	track->alive = __atomic_load_n(&track->process->alive, __ATOMIC_ACQUIRE);
	track->paused = track->process->pause.ever ? paused_until(track->process, ticks) : 0;
}
