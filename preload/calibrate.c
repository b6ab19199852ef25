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
#define MEASURED(name, step, enter)                                                                \
	static __attribute__((noinline)) void name(void *function, void *call_site)                \
	{                                                                                          \
		struct track *k = &bench_now->track;                                               \
		struct event e;                                                                    \
                                                                                                   \
		e.ticks = tick_read();                                                             \
		e.zone = (uintptr_t)function;                                                      \
		e.call_site = (uintptr_t)call_site;                                                \
		e.sp = (uintptr_t)__builtin_dwarf_cfa();                                           \
		e.ret = (uintptr_t)__builtin_return_address(0);                                    \
		__asm__ volatile("mov %%rbp, %0" : "=r"(e.bp));                                    \
		if (RARE(k->busy))                                                                 \
			return;                                                                    \
		hot_begin(k, e.sp);                                                                \
		if (USUAL(hot_at_home(k, e.sp)) && USUAL(step(k, &e)))                             \
			hot_end(k, e.sp);                                                          \
		else {                                                                             \
			learn(k, &e, enter);                                                       \
			k->busy = 0;                                                               \
		}                                                                                  \
	}

MEASURED(enter, hot_enter, true)
MEASURED(leave, hot_exit, false)

static void (*volatile call_enter)(void *, void *) = enter;
static void (*volatile call_leave)(void *, void *) = leave;

/* Node 0 is "none", 1 the root, 2 the callee that follows itself. */
static bool set_up(struct bench *b, const struct location *locations)
{
	long p = sys6(SYS_mmap, 0, FILE_TWIN + ZPROF_GRANULE, PROT_NONE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct track *k = &b->track;

	if (SYS_FAILED(p))
		return false;
	b->base = (char *)p;
	if (SYS_FAILED(sys3(SYS_mprotect, b->base, ZPROF_GRANULE, PROT_READ | PROT_WRITE)) ||
	    SYS_FAILED(
		sys3(SYS_mprotect, b->base + FILE_TWIN, ZPROF_GRANULE, PROT_READ | PROT_WRITE)))
		return false;
	b->alive = 1;
	k->base = b->base;
	k->locations = locations;
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
		sys2(SYS_munmap, b->base, FILE_TWIN + ZPROF_GRANULE);
}

/* One round: ticks a pair in all, and of those in the callee, both in thousandths. */
static __attribute__((noinline)) void round_of_pairs(struct bench *b, uint64_t *all,
						     uint64_t *callee)
{
	struct zprof_node *node = node_at(b->base, 2);
	uint64_t before, after, self = node->self_ticks;
	int i;

	before = tick_read();
	for (i = 0; i < PAIRS; i++) {
		call_enter(&b->place, &b->place);
		call_leave(&b->place, &b->place);
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

void calibrate(struct process *p)
{
	struct bench bench = {.base = NULL}, *interrupted = bench_now;
	uint64_t all[ROUNDS], callee[ROUNDS];
	int i;

	if (p->clock == ZPROF_CLOCK_FAKE || !set_up(&bench, p->locations.slots)) {
		tear_down(&bench);
		return;
	}
	bench_now = &bench;
	for (i = 0; i < ROUNDS; i++)
		round_of_pairs(&bench, &all[i], &callee[i]);
	bench_now = interrupted;
	tear_down(&bench);
	sort(all, ROUNDS);
	sort(callee, ROUNDS);
	if (all[0] < callee[0] || callee[0] == 0)
		return;
	p->cost.callee_milliticks = (uint32_t)callee[0];
	p->cost.caller_milliticks = (uint32_t)(all[0] - callee[0]);
	p->cost.error_milliticks = (uint32_t)(all[ROUNDS / 2] - all[0]) + 1000;
}
