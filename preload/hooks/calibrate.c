/* SPDX-License-Identifier: MIT */
/* calibrate.c - see calibrate.h. */
#include "preload/hooks/calibrate.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/process/upward.h"
#include "preload/tree/tree.h"
#include "preload/hooks/bench.h"
#include "preload/hooks/front.h"
#include "preload/track/charge.h"

/*
 * How often a measurement is tried: on a busy machine one may make no sense, and a later one may.
 */
#define TRIES 3

/* One for each thread: two threads may calibrate at once. So may a handler, during its thread's. */
static __thread struct bench *bench_now;

static __attribute__((noinline)) void learn(struct track *k, const struct event *e, bool enter)
{
	struct twin *t = twin_of(node_at(k->base, BENCH_CALLEE));

	if (enter)
		t->ret = e->ret;
	else
		t->exit_ret = e->ret;
}

/* In place of the slow functions: the first call from a place teaches its location. */
HOT void end(enum front_way way, const struct event *e, bool enter)
{
	struct track *k = &bench_now->track;

	switch (way) {
	case FRONT_DONE:
	case FRONT_NESTED:
		return;
	case FRONT_MARKED:
		charge_settle(k, e->sp);
		return;
	case FRONT_UNUSUAL:
	case FRONT_AWAY:
		learn(k, e, enter);
		k->busy = 0;
		return;
	}
}

/* The instances of hooks.c, on a track of their own. */

HOT void enter(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	end(front_enter(&bench_now->track, &e, timing), &e, true);
}

HOT void leave(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	end(front_exit(&bench_now->track, &e, timing), &e, false);
}

static __attribute__((noinline)) void enter_exact(void *function, void *call_site)
{
	enter(function, call_site, TIMING_EXACT);
}

static __attribute__((noinline)) void leave_exact(void *function, void *call_site)
{
	leave(function, call_site, TIMING_EXACT);
}

static __attribute__((noinline)) void enter_counted(void *function, void *call_site)
{
	enter(function, call_site, TIMING_COUNT);
}

static __attribute__((noinline)) void leave_counted(void *function, void *call_site)
{
	leave(function, call_site, TIMING_COUNT);
}

/* The instances are called through pointers, as the program's hooks are. */
struct pair {
	void (*volatile enter)(void *, void *);
	void (*volatile leave)(void *, void *);
};

static const struct pair exact = {enter_exact, leave_exact},
			 counted = {enter_counted, leave_counted};

/* ---- the function that is measured, with and without hooks */

static __attribute__((noinline)) void hooked(const void *how, void *place, unsigned body)
{
	const struct pair *pair = how;

	pair->enter(place, __builtin_return_address(0));
	cpu_work(body);
	pair->leave(place, __builtin_return_address(0));
	cpu_barrier(); /* so that the call does not become a jump */
}

static __attribute__((noinline)) void bare(const void *how, void *place, unsigned body)
{
	cpu_used(how);
	cpu_used(place);
	cpu_work(body);
	cpu_barrier();
}

struct costs {
	int64_t all, callee;
	int64_t spread; /* how much `all` differs from round to round */
};

static struct costs measure(struct bench *b, const struct pair *pair, unsigned body)
{
	struct zprof_node *node = node_at(b->base, BENCH_CALLEE);
	int64_t all[BENCH_ROUNDS], callee[BENCH_ROUNDS];
	int i;

	for (i = 0; i < BENCH_ROUNDS; i++) {
		int64_t without = bench_time(b, bare, pair, body);
		uint64_t self = node->self_ticks;

		all[i] = bench_time(b, hooked, pair, body) - without;
		callee[i] = (int64_t)(node->self_ticks - self) * 1000 / BENCH_CALLS - without;
	}
	bench_sort(all);
	bench_sort(callee);
	return (struct costs){all[BENCH_LOWER], callee[BENCH_LOWER],
			      all[BENCH_ROUNDS / 2] - all[BENCH_LOWER]};
}

static void measure_bodies(struct bench *b, const struct pair *pair, struct costs *middle,
			   int64_t *half_width)
{
	struct costs low = {INT64_MAX, INT64_MAX, 0}, high = {INT64_MIN, INT64_MIN, 0};
	size_t i;

	for (i = 0; i < BENCH_BODIES; i++) {
		struct costs c = measure(b, pair, bench_bodies[i]);

		if (c.all < low.all)
			low.all = c.all;
		if (c.all > high.all)
			high.all = c.all;
		if (c.callee < low.callee)
			low.callee = c.callee;
		if (c.callee > high.callee)
			high.callee = c.callee;
		if (c.spread > high.spread)
			high.spread = c.spread;
	}
	middle->all = (low.all + high.all) / 2;
	middle->callee = (low.callee + high.callee) / 2;
	*half_width = (high.all - low.all) / 2 + high.spread;
}

/* Joins this measurement with earlier ones: their middle, and a width that spans all. */
static void join(struct cost *cost, const struct costs *c, int64_t half_width)
{
	int64_t before = (int64_t)cost->callee_milliticks + cost->caller_milliticks, drift = 0;
	uint32_t n = cost->calibrations++;

	if (n)
		drift = c->all > before ? c->all - before : before - c->all;
	cost->callee_milliticks =
	    (uint32_t)((cost->callee_milliticks * (uint64_t)n + (uint64_t)c->callee) / (n + 1));
	cost->caller_milliticks =
	    (uint32_t)((cost->caller_milliticks * (uint64_t)n + (uint64_t)(c->all - c->callee)) /
		       (n + 1));
	if (half_width < c->all * 9 / 10)
		half_width = c->all * 9 / 10;
	half_width += drift / 2;
	if (cost->error_milliticks < half_width)
		cost->error_milliticks = (uint32_t)half_width;
}

static void measure_all(struct bench *b, struct process *p)
{
	struct costs c;
	int64_t half_width;
	int tries;

	if (p->header->mode == ZPROF_MODE_COUNT) {
		measure_bodies(b, &counted, &c, &half_width);
		p->cost->count_milliticks = c.all > 0 ? (uint32_t)c.all : 0;
		return;
	}
	for (tries = 0; tries < TRIES; tries++) {
		measure_bodies(b, &exact, &c, &half_width);
		if (c.callee > 0 && c.all > c.callee) {
			join(p->cost, &c, half_width);
			return;
		}
	}
}

static void tell(struct process *p)
{
	struct zprof_header *h = p->header;

	h->hook_callee_milliticks = p->cost->callee_milliticks;
	h->hook_caller_milliticks = p->cost->caller_milliticks;
	h->hook_error_milliticks = p->cost->error_milliticks;
	h->hook_count_milliticks = p->cost->count_milliticks;
	h->hook_entry_milliticks = p->cost->entry_milliticks;
	h->hook_entry_call_milliticks = p->cost->entry_call_milliticks;
}

void calibrate(struct process *p)
{
	struct bench bench = {.base = NULL}, *interrupted = bench_now;

	if (p->clock != ZPROF_CLOCK_FAKE && bench_init(&bench, p, tick_now)) {
		bench_now = &bench;
		measure_all(&bench, p);
		bench_now = interrupted;
	}
	bench_fini(&bench);
	p->cost->calibrated = tick_now();
	tell(p);
}

void calibrate_inherit(struct process *p, const struct process *from)
{
	*p->cost = *from->cost;
	p->cost->calibrating = false;
	tell(p);
}

static void calibrate_again(struct process *p)
{
	if (sys_forbidden || p->header->mode == ZPROF_MODE_COUNT || !p->hz ||
	    tick_now() - p->cost->calibrated < p->hz ||
	    __atomic_exchange_n(&p->cost->calibrating, true, __ATOMIC_ACQUIRE))
		return;
	calibrate(p);
	__atomic_store_n(&p->cost->calibrating, false, __ATOMIC_RELEASE);
}

UPWARD_FILL(calibrate, calibrate_again);
