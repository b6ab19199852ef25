/* SPDX-License-Identifier: MIT */
/* calibrate.c - see calibrate.h. */
#include "preload/hooks/calibrate.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/process/upward.h"
#include "preload/profile/planes.h"
#include "preload/code/location.h"
#include "preload/sample/ring.h"
#include "preload/tree/tree.h"
#include "preload/hooks/front.h"
#include "preload/track/charge.h"

#define ROUNDS 11
#define PAIRS  150
/*
 * How often a measurement is tried: on a busy machine one may make no sense, and a later one may.
 */
#define TRIES 3

/*
 * A track and a tree of two nodes, in memory laid out like a profile's: node and twin PLANES_TWIN
 * apart.
 */
struct bench {
	struct track track;
	struct open_zone frames[4];
	char *base;
	uint64_t last;
	uint32_t current, alive;
	uint64_t random;
	uintptr_t place; /* where the hooks' arguments point */
};

/* Node 0 is "none"; the callee follows itself. */
enum { CALLER = 1, CALLEE = 2 };

/* Bytes of the nodes and `callees`, and as many of the twins. */
#define BENCH_BYTES (ZPROF_GRANULE + TREE_CALLEES * sizeof(struct callee))

/* One for each thread: two threads may calibrate at once. So may a handler, during its thread's. */
static __thread struct bench *bench_now;

static __attribute__((noinline)) void learn(struct track *k, const struct event *e, bool enter)
{
	struct twin *t = twin_of(node_at(k->base, CALLEE));

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

static bool set_up(struct bench *b, struct process *p)
{
	struct track *k = &b->track;

	b->base = planes_find(BENCH_BYTES);
	if (!b->base)
		return false;
	b->alive = 1;
	b->random = 88172645463325252u;
	k->base = b->base;
	k->locations = p->locations->slots;
	k->process = p;
	k->bottom = k->top = b->frames;
	k->limit = b->frames + sizeof(b->frames) / sizeof(b->frames[0]);
	k->alive = &b->alive;
	k->last = &b->last;
	k->current = &b->current;
	k->stack_bytes = UINTPTR_MAX;
	k->news = &ring_silence;
	k->bottom->cfa = UINTPTR_MAX;
	k->bottom->node = node_at(b->base, CALLER);
	node_at(b->base, CALLEE)->zone = (uintptr_t)&b->place;
	twin_of(node_at(b->base, CALLEE))->rule = 64;
	k->callees = (struct callee *)(b->base + ZPROF_GRANULE);
	*tree_callee(k->callees, (uintptr_t)&b->place, CALLER) = (struct callee){CALLER, CALLEE};
	return true;
}

static void tear_down(struct bench *b)
{
	if (b->base)
		planes_unmap(b->base, BENCH_BYTES, true);
}

/* ---- the function that is measured, with and without hooks */

/*
 * The work of a function: chains of this many multiplications, from none to some 20 ns; and chains
 * of a length that the processor cannot predict, so that it mispredicts just before the exit hook.
 */
#define UNFORESEEN     1000
#define UNFORESEEN_MIN 32
#define UNFORESEEN_MAX 47
static const unsigned bodies[] = {0, 8, 24, 48, UNFORESEEN};

#define BODIES (sizeof(bodies) / sizeof(bodies[0]))

static unsigned unforeseen(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return UNFORESEEN_MIN + (*x >> 32) % (UNFORESEEN_MAX - UNFORESEEN_MIN + 1);
}

static __attribute__((noinline)) void hooked(const struct pair *pair, void *place, unsigned body)
{
	pair->enter(place, __builtin_return_address(0));
	cpu_work(body);
	pair->leave(place, __builtin_return_address(0));
	cpu_barrier(); /* so that the call does not become a jump */
}

static __attribute__((noinline)) void bare(const struct pair *pair, void *place, unsigned body)
{
	cpu_used(pair);
	cpu_used(place);
	cpu_work(body);
	cpu_barrier();
}

/* The time of one call, in thousandths of a tick. */
static __attribute__((noinline)) int64_t
time_of(void (*function)(const struct pair *, void *, unsigned), const struct pair *pair,
	struct bench *b, unsigned body)
{
	uint64_t before = tick_read();
	int i;

	for (i = 0; i < PAIRS; i++)
		function(pair, &b->place, body == UNFORESEEN ? unforeseen(&b->random) : body);
	return (int64_t)(tick_read() - before) * 1000 / PAIRS;
}

static void sort(int64_t *v, int n)
{
	int i, j;

	for (i = 1; i < n; i++)
		for (j = i; j > 0 && v[j] < v[j - 1]; j--) {
			int64_t t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}

struct costs {
	int64_t all, callee;
	int64_t spread; /* how much `all` differs from round to round */
};

/* Takes the lower quartile of many rounds, because disturbances only add time. */
static struct costs measure(struct bench *b, const struct pair *pair, unsigned body)
{
	struct zprof_node *node = node_at(b->base, CALLEE);
	int64_t all[ROUNDS], callee[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		int64_t without = time_of(bare, pair, b, body);
		uint64_t self = node->self_ticks;

		all[i] = time_of(hooked, pair, b, body) - without;
		callee[i] = (int64_t)(node->self_ticks - self) * 1000 / PAIRS - without;
	}
	sort(all, ROUNDS);
	sort(callee, ROUNDS);
	return (struct costs){all[ROUNDS / 4], callee[ROUNDS / 4],
			      all[ROUNDS / 2] - all[ROUNDS / 4]};
}

static void measure_bodies(struct bench *b, const struct pair *pair, struct costs *middle,
			   int64_t *half_width)
{
	struct costs low = {INT64_MAX, INT64_MAX, 0}, high = {INT64_MIN, INT64_MIN, 0};
	size_t i;

	for (i = 0; i < BODIES; i++) {
		struct costs c = measure(b, pair, bodies[i]);

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
}

void calibrate(struct process *p)
{
	struct bench bench = {.base = NULL}, *interrupted = bench_now;

	if (p->clock != ZPROF_CLOCK_FAKE && set_up(&bench, p)) {
		bench_now = &bench;
		measure_all(&bench, p);
		bench_now = interrupted;
	}
	tear_down(&bench);
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
