/* SPDX-License-Identifier: MIT */
/* pause.c - see pause.h. */
#include "preload/recording/pause.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/sites/sites.h"

/*
 * What a word holds: a hook goes the usual way where it reads ALIVE. A new word is zero, as is
 * every one in a forked child. It becomes ALIVE once at most, and never again after OVER.
 */
#define ALIVE PROCESS_ALIVE
#define OVER  2u

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
	*p->alive = p->pause->depth ? OVER : p->options->check ? 0 : ALIVE;
	return true;
}

bool pause_in_force(const struct process *p)
{
	return __atomic_load_n(&p->pause->depth, __ATOMIC_SEQ_CST) != 0;
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
	__atomic_store_n(__atomic_load_n(&p->alive, __ATOMIC_SEQ_CST), OVER, __ATOMIC_SEQ_CST);
}

/* The word after another; a page is good for a thousand pauses. */
static uint32_t *word_after(uint32_t *word)
{
	return (uintptr_t)(word + 1) % ZPROF_GRANULE ? word + 1 : sys_wiped_page();
}

/*
 * Two threads may do this at once, the one that has resumed and the one that was switching hooks
 * off meanwhile, and a third may pause again. So the new word is there before `depth` is looked at
 * once more: a pause that is not seen here finds the word, and ends it before it lives. (No loop
 * waits for a moment without another's change: a handler may make one at every instruction.)
 */
static void begin_word(struct process *p)
{
	uint32_t *word = __atomic_load_n(&p->alive, __ATOMIC_SEQ_CST), *next, fresh = 0;

	if (p->options->check || __atomic_load_n(word, __ATOMIC_SEQ_CST) == ALIVE)
		return;
	__atomic_store_n(word, OVER, __ATOMIC_SEQ_CST);
	next = word_after(word);
	if (!next)
		return; /* no memory: it stays slow, and right */
	if (__atomic_compare_exchange_n(&p->alive, &word, next, false, __ATOMIC_SEQ_CST,
					__ATOMIC_SEQ_CST) &&
	    !pause_in_force(p))
		__atomic_compare_exchange_n(next, &fresh, ALIVE, false, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
}

static void go_on(struct process *p, uint64_t ticks)
{
	struct pause_sum sum = sum_of(p);

	while (sum.since) {
		uint64_t paused = ticks - sum.since;

		if (replace(&p->pause->sum, &sum, 0,
			    sum.total + ((int64_t)paused > 0 ? paused : 0)))
			break;
	}
	begin_word(p);
}

/* Brings all in line with `depth`, which others may change meanwhile. */
static void follow(struct process *p, uint64_t ticks)
{
	bool paused, slept;

	for (;; ticks = tick_now()) {
		paused = pause_in_force(p);
		slept = p->sites->asleep;
		if (paused)
			stop(p, ticks);
		else if (sites_wake(p))
			go_on(p, slept ? tick_now() : ticks);
		if (pause_in_force(p) == paused)
			return;
	}
}

/*
 * Asking for the time takes longer than such a hook, so only one in so many asks. (None does under
 * the fake clock: tests count hooks, so hooks must not be switched off by themselves.)
 */
#define ASKS 64

static bool lasts(struct process *p)
{
	return ++p->pause->met % ASKS == 0 && !sys_forbidden && p->clock != ZPROF_CLOCK_FAKE &&
	       sys_clock_ns(1) - p->pause->since_ns > sites_patience(p);
}

void pause_met(struct process *p, uintptr_t ret)
{
	if (sites_are_asleep(p)) {
		sites_meet(p, ret);
	} else if (lasts(p)) {
		sites_sleep(p, pause_in_force);
		if (!pause_in_force(p))
			follow(p, tick_now());
	}
}

void pause_begin(struct process *p, uint64_t ticks)
{
	if (!__atomic_fetch_add(&p->pause->depth, 1, __ATOMIC_SEQ_CST))
		follow(p, ticks);
}

bool pause_end(struct process *p, uint64_t ticks)
{
	uint32_t depth = __atomic_load_n(&p->pause->depth, __ATOMIC_RELAXED);

	do
		if (!depth)
			return false;
	while (!__atomic_compare_exchange_n(&p->pause->depth, &depth, depth - 1, false,
					    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
	if (depth == 1)
		follow(p, ticks);
	return true;
}

uint64_t pause_until(struct process *p, uint64_t ticks)
{
	struct pause_sum sum = sum_of(p);

	if (sum.since && (int64_t)(ticks - sum.since) > 0)
		sum.total += ticks - sum.since;
	return sum.total;
}

void pause_knock(struct process *p)
{
	__atomic_store_n(__atomic_load_n(&p->alive, __ATOMIC_SEQ_CST), OVER, __ATOMIC_SEQ_CST);
}

/*
 * pause_knock() has ended the word, and nothing else; or a request to pause that was taken back has
 * (process/request.h).
 */
void pause_mend(struct process *p, uint64_t ticks)
{
	if (*__atomic_load_n(&p->alive, __ATOMIC_ACQUIRE) == OVER && !pause_in_force(p) &&
	    !sites_are_asleep(p))
		go_on(p, ticks);
}
