/* SPDX-License-Identifier: MIT */
/* calibrate.c - see calibrate.h. */
#include "preload/hot.h"

#include "preload/calibrate.h"
#include "preload/sys.h"

#include <sys/mman.h>

#define ROUNDS 15
#define PAIRS  1000

/*
 * A track and a tree of two nodes, in memory laid out like a profile's: node and twin FILE_TWIN
 * apart.
 */
struct bench {
	struct track track;
	struct frame frames[4];
	char *base;
	uint64_t last;
	uint32_t current, alive;
	uintptr_t place; /* where the hooks' arguments point */
};

/* Threads may begin at once, and a handler while its thread begins. */
static __thread struct bench *bench_now;

static __attribute__((noinline)) void learn(struct track *k, const struct event *e, bool enter)
{
	struct twin *t = twin_of(node_at(k->base, 2));

	if (enter)
		t->ret = e->ret;
	else
		t->exit_ret = e->ret;
}

/* The hooks as in hooks.c, but for the track they work on. */
#define MEASURED(name, step, timing, enter)                                                        \
	static __attribute__((noinline)) void name(void *function, void *call_site)                \
	{                                                                                          \
		struct track *k = &bench_now->track;                                               \
		struct event e;                                                                    \
                                                                                                   \
		e.ticks = HOT_CLOCK(timing);                                                       \
		e.zone = (uintptr_t)function;                                                      \
		e.call_site = (uintptr_t)call_site;                                                \
		e.sp = (uintptr_t)__builtin_dwarf_cfa();                                           \
		e.ret = (uintptr_t)__builtin_return_address(0);                                    \
		__asm__ volatile("mov %%rbp, %0" : "=r"(e.bp));                                    \
		if (RARE(k->busy))                                                                 \
			return;                                                                    \
		hot_begin(k, e.sp);                                                                \
		if (USUAL(hot_at_home(k, e.sp)) && USUAL(step(k, &e, timing)))                     \
			hot_end(k, e.sp);                                                          \
		else {                                                                             \
			learn(k, &e, enter);                                                       \
			k->busy = 0;                                                               \
		}                                                                                  \
	}

MEASURED(enter_exact, hot_enter, TIMING_EXACT, true)
MEASURED(leave_exact, hot_exit, TIMING_EXACT, false)
MEASURED(enter_timed, hot_enter, TIMING_TIMED, true)
MEASURED(leave_timed, hot_exit, TIMING_TIMED, false)
MEASURED(enter_untimed, hot_enter, TIMING_UNTIMED, true)
MEASURED(leave_untimed, hot_exit, TIMING_UNTIMED, false)
MEASURED(enter_counted, hot_enter, TIMING_COUNT, true)
MEASURED(leave_counted, hot_exit, TIMING_COUNT, false)

/* Through pointers, as the program's are. */
struct pair {
	void (*volatile enter)(void *, void *);
	void (*volatile leave)(void *, void *);
};

static const struct pair exact = {enter_exact, leave_exact}, timed = {enter_timed, leave_timed},
			 untimed = {enter_untimed, leave_untimed},
			 counted = {enter_counted, leave_counted};

/* Node 0 is "none", 1 the root, 2 the callee that follows itself. */
static bool set_up(struct bench *b, struct process *p)
{
	long at = sys6(SYS_mmap, 0, FILE_RESERVED, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	static const uintptr_t planes[] = {0, FILE_TWIN, FILE_PLANS};
	struct track *k = &b->track;
	size_t i;

	if (SYS_FAILED(at))
		return false;
	b->base = (char *)at;
	for (i = 0; i < sizeof(planes) / sizeof(planes[0]); i++)
		if (SYS_FAILED(sys3(SYS_mprotect, b->base + planes[i], ZPROF_GRANULE,
				    PROT_READ | PROT_WRITE)))
			return false;
	b->alive = 1;
	k->base = b->base;
	k->locations = p->locations.slots;
	k->process = p;
	k->bottom = k->top = b->frames;
	k->limit = b->frames + sizeof(b->frames) / sizeof(b->frames[0]);
	k->alive = &b->alive;
	k->last = &b->last;
	k->current = &b->current;
	k->stack_bytes = UINTPTR_MAX;
	k->bottom->cfa = UINTPTR_MAX;
	k->bottom->node = node_at(b->base, 1);
	node_at(b->base, 2)->zone = (uintptr_t)&b->place;
	twin_of(node_at(b->base, 2))->next = 2;
	twin_of(node_at(b->base, 2))->rule = 64;
	twin_of(node_at(b->base, 1))->last = 2;
	return true;
}

static void tear_down(struct bench *b)
{
	if (b->base)
		sys2(SYS_munmap, b->base, FILE_RESERVED);
}

/* Every segment is timed, or none is. */
static void plan(struct bench *b, bool all)
{
	uint32_t i;

	b->track.weight = all;
	for (i = 1; i <= 2; i++)
		*plan_of(b->base, node_at(b->base, i)) = (struct plan){.skip = all ? 0 : 4 * PAIRS};
}

/* One round: ticks a pair in all, and of those in the callee, both in thousandths. */
static __attribute__((noinline)) void round_of(const struct pair *pair, struct bench *b,
					       uint64_t *all, uint64_t *callee)
{
	struct zprof_node *node = node_at(b->base, 2);
	uint64_t before, after, self = node->self_ticks;
	int i;

	before = tick_read();
	for (i = 0; i < PAIRS; i++) {
		pair->enter(&b->place, &b->place);
		pair->leave(&b->place, &b->place);
	}
	after = tick_read();
	*all = (after - before) * 1000 / PAIRS;
	*callee = (node->self_ticks - self) * 1000 / PAIRS;
}

static void sort(uint64_t *v, int n)
{
	int i, j;

	for (i = 1; i < n; i++)
		for (j = i; j > 0 && v[j] < v[j - 1]; j--) {
			uint64_t t = v[j];

			v[j] = v[j - 1];
			v[j - 1] = t;
		}
}

/* Rounds of one kind: the fastest, and by how much the middle one was slower. */
static void measure(struct bench *b, const struct pair *pair, bool is_timed, uint64_t *all,
		    uint64_t *callee, uint64_t *spread)
{
	uint64_t every_all[ROUNDS], every_callee[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		plan(b, is_timed);
		round_of(pair, b, &every_all[i], &every_callee[i]);
	}
	sort(every_all, ROUNDS);
	sort(every_callee, ROUNDS);
	*all = every_all[0];
	*callee = every_callee[0];
	*spread = every_all[ROUNDS / 2] - every_all[0];
}

static void measure_all(struct bench *b, struct process *p)
{
	bool counting = p->options.mode == ZPROF_MODE_COUNT, estimating = estimate_wanted(p);
	uint64_t all, callee, spread;

	if (counting || estimating) {
		measure(b, counting ? &counted : &untimed, false, &all, &callee, &spread);
		p->cost.untimed_milliticks = (uint32_t)all;
	}
	if (counting)
		return;
	measure(b, estimating ? &timed : &exact, true, &all, &callee, &spread);
	if (all < callee || callee == 0)
		return;
	p->cost.callee_milliticks = (uint32_t)callee;
	p->cost.caller_milliticks = (uint32_t)(all - callee);
	p->cost.error_milliticks = (uint32_t)spread + 1000;
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
}
