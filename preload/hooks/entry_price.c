/* SPDX-License-Identifier: MIT */
/* entry_price.c - see entry_price.h. */
#include "preload/hooks/entry_price.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/code/call_places.h"
#include "preload/track/entry.h"
#include "preload/hooks/bench.h"
#include "preload/hooks/calibrate.h"

#include <time.h>

/*
 * The track of the measurement in progress, as its distance from the thread's pointer; 0: none. Two
 * threads may measure at once.
 */
static __attribute__((used, tls_model("initial-exec"))) __thread uintptr_t track_distance;

static struct bench *bench_now(void)
{
	return (struct bench *)(track_distance + (uintptr_t)__builtin_thread_pointer());
}

/* ---- the hooks, and what they call if anything is unusual */

#define SLOW __attribute__((noinline, used, no_caller_saved_registers, force_align_arg_pointer))

/* The caller's frame is this much above the callee's. */
#define CALLERS_BYTES 64

/*
 * Teaches the place of the call s[0], and the frame that it calls from. In the usual way the hook then
 * finds what it finds in a loop that calls one function: a stale zone, and below it the caller.
 */
static void learn(struct bench *b, const uintptr_t *s, uintptr_t function)
{
	struct track *k = &b->track;
	uintptr_t ret = s[0];
	uint64_t high = CALLERS_BYTES / 4;

	b->call = high << 32 | (uint32_t)ret;
	k->calls =
	    (const uint64_t *)((uintptr_t)&b->call - (ret & (CALL_PLACES - 1)) * sizeof(uint64_t));
	k->bottom->cfa = (uintptr_t)(s + 1) + CALLERS_BYTES;
	k->bottom->node->zone = ret;
	k->top = k->bottom;
	node_at(k->base, BENCH_CALLEE)->zone = function;
	*tree_callee(k->callees, function, BENCH_CALLER) =
	    (struct callee){BENCH_CALLER, BENCH_CALLEE};
}

static SLOW void called_again(const uintptr_t *s)
{
	struct bench *b = bench_now();

	learn(b, s, s[-1] - EVENT_CALL_BYTES);
	b->track.busy = 0;
}

static SLOW void displaced_again(const uintptr_t *s, uintptr_t function)
{
	struct bench *b = bench_now();

	learn(b, s, function);
	b->track.busy = 0;
}

/* No handler's hook works on this track. */
static SLOW void hook_of_nothing(void)
{
}

/* The variables that __fentry__ and displaced_enter() look at. */
__attribute__((used)) static bool usual = true;

__attribute__((used)) static CPU_NAKED void called_hook(void)
{
	CPU_ENTER_ALONE(BY_FUNCTION, CPU_ALONE_AT(track_distance),
			"	cmpb $0, usual(%%rip)\n"
			"	je 40f\n",
			"", called_again, hook_of_nothing, hook_of_nothing, "", "40:	ret\n");
}

__attribute__((used)) static CPU_NAKED void displaced_hook(void)
{
	CPU_ENTER_ALONE(BY_TRAMPOLINE, CPU_ALONE_AT(track_distance), "",
			"	cmpb $0, usual(%%rip)\n"
			"	je 40f\n",
			displaced_again, hook_of_nothing, hook_of_nothing,
			CPU_ALONE_OTHERWISE(BY_TRAMPOLINE, displaced_again), "");
}

__attribute__((used)) static CPU_NAKED void empty_hook(void)
{
	CPU_RETURN();
}

/* ---- the function: with the hook, with an empty one, and without. Programs call hooks by a pointer. */

__attribute__((used)) static void (*const called_at)(void) = called_hook;
__attribute__((used)) static void (*const empty_at)(void) = empty_hook;

static __attribute__((noinline, used)) void work(const void *how, void *place, unsigned body)
{
	cpu_used(how);
	cpu_used(place);
	cpu_work(body);
	cpu_barrier();
}

#define UNUSED  __attribute__((unused))
#define SUBJECT UNUSED const void *how, UNUSED void *place, UNUSED unsigned body

static CPU_NAKED void bare(SUBJECT)
{
	CPU_JUMP(work);
}

static CPU_NAKED void called(SUBJECT)
{
	CPU_CALL_AND_JUMP(called_at, work);
}

static CPU_NAKED void called_empty(SUBJECT)
{
	CPU_CALL_AND_JUMP(empty_at, work);
}

static CPU_NAKED void displaced(SUBJECT)
{
	CPU_BY_TRAMPOLINE(displaced_hook, work);
}

static CPU_NAKED void displaced_empty(SUBJECT)
{
	CPU_BY_TRAMPOLINE(empty_hook, work);
}

/* ---- measuring */

/* The difference that a hook makes to a function that does nothing; 0: it made no sense. */
static uint32_t price(struct bench *b, void (*hooked)(const void *, void *, unsigned))
{
	int64_t rounds[BENCH_ROUNDS];
	int i;

	for (i = 0; i < BENCH_ROUNDS; i++) {
		int64_t without = bench_time(b, bare, NULL, 0);

		rounds[i] = bench_time(b, hooked, NULL, 0) - without;
	}
	bench_sort(rounds);
	return rounds[BENCH_LOWER] > 0 ? (uint32_t)rounds[BENCH_LOWER] : 0;
}

static uint64_t system_clock(void)
{
	return sys_clock_ns(CLOCK_MONOTONIC);
}

void entry_price_measure(struct process *p)
{
	bool plans = p->options->plans;
	uintptr_t interrupted = track_distance;
	struct bench bench;

	if (p->clock == ZPROF_CLOCK_FAKE)
		return;
	/* Where calls are counted alone, tick_read() has stopped. */
	if (bench_init(&bench, p, p->clock == ZPROF_CLOCK_TSC ? cpu_counter : system_clock)) {
		track_distance = (uintptr_t)&bench.track - (uintptr_t)__builtin_thread_pointer();
		p->cost->entry_milliticks = price(&bench, plans ? displaced : called);
		p->cost->entry_call_milliticks =
		    price(&bench, plans ? displaced_empty : called_empty);
		track_distance = interrupted;
	}
	bench_fini(&bench);
	p->header->hook_entry_milliticks = p->cost->entry_milliticks;
	p->header->hook_entry_call_milliticks = p->cost->entry_call_milliticks;
}
