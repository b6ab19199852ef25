/* SPDX-License-Identifier: MIT */
/* pause.c - see pause.h. */
#include "preload/recording/pause.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/sites/sites.h"

/*
 * Values of the word that p->alive points to. A hook that reads ALIVE goes the usual way. A new
 * word is zero, and a fork makes every word zero in the child. A word becomes ALIVE once at most,
 * and never after it was OVER.
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

/* Replaces the sum if it is still *seen. False: the sum is another, which is then in *seen. */
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

/*
 * The word after `word`; in a new page, if the page is used up. A page has words for a thousand
 * pauses.
 */
static uint32_t *word_after(uint32_t *word)
{
	return (uintptr_t)(word + 1) % ZPROF_GRANULE ? word + 1 : sys_wiped_page();
}

/*
 * Begins a new word. Two threads may do so at once, the thread that ends the pause and a thread
 * that was switching hooks off, and a third thread may begin another pause. So the new word is
 * published before `depth` is read once more: a pause that this reading misses finds the new word,
 * and stores OVER before the word becomes ALIVE. (There is no loop until nothing changes: a handler
 * may change something at every instruction.)
 */
static void begin_word(struct process *p)
{
	uint32_t *word = __atomic_load_n(&p->alive, __ATOMIC_SEQ_CST), *next, fresh = 0;

	if (p->options->check || __atomic_load_n(word, __ATOMIC_SEQ_CST) == ALIVE)
		return;
	__atomic_store_n(word, OVER, __ATOMIC_SEQ_CST);
	next = word_after(word);
	if (!next)
		return; /* no memory: hooks stay slow, and right */
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

/*
 * Brings sum, word and sites in line with `depth`, which other threads may change at the same time.
 */
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
 * To ask the system for the time takes longer than a hook that records nothing, so only one in so
 * many hooks asks. (Under the fake clock none asks: tests count hooks, so no hook may be switched
 * off because of the time.)
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
 * If the word is OVER and yet there is no pause, pause_knock() has ended it, or a request to pause
 * that was taken back (process/request.h).
 */
void pause_mend(struct process *p, uint64_t ticks)
{
	if (*__atomic_load_n(&p->alive, __ATOMIC_ACQUIRE) == OVER && !pause_in_force(p) &&
	    !sites_are_asleep(p))
		go_on(p, ticks);
}
