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
	k->calls = (const uint64_t *)((uintptr_t)&b->call -
				      (ret & (CALL_PLACES - 1)) * sizeof(uint64_t));
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
static SLOW void nothing(void)
{
}

#define BENCH_TRACK                                                                                \
	"	mov track_distance@gottpoff(%%rip), %%rdx\n"                                       \
	"	mov %%fs:(%%rdx), %%rdx\n"

/* The variables that __fentry__ and displaced_enter() look at. */
__attribute__((used)) static bool usual = true;

__attribute__((used)) static CPU_NAKED void called_hook(void)
{
	CPU_ENTER_ALONE(BY_FUNCTION, BENCH_TRACK,
			"	cmpb $0, usual(%%rip)\n"
			"	je 40f\n",
			"", called_again, nothing, nothing, "", "40:	ret\n");
}

__attribute__((used)) static CPU_NAKED void displaced_hook(void)
{
	CPU_ENTER_ALONE(BY_TRAMPOLINE, BENCH_TRACK, "",
			"	cmpb $0, usual(%%rip)\n"
			"	je 40f\n",
			displaced_again, nothing, nothing,
			CPU_ALONE_OTHERWISE(BY_TRAMPOLINE, displaced_again), "");
}

__attribute__((used)) static CPU_NAKED void empty_hook(void)
{
	__asm__("ret");
}

/* ---- the function: with the hook, with an empty one, and without. Programs call hooks by a pointer. */

__attribute__((used)) static void (*const called_at)(void) = called_hook;
__attribute__((used)) static void (*const empty_at)(void) = empty_hook;

__attribute__((noinline, used)) static void work(const void *how, void *place, unsigned body)
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
	__asm__("jmp work");
}

static CPU_NAKED void called(SUBJECT)
{
	__asm__("call *called_at(%rip)\n	jmp work");
}

static CPU_NAKED void called_empty(SUBJECT)
{
	__asm__("call *empty_at(%rip)\n	jmp work");
}

/* code/areas.h has a trampoline's instructions. */
#define TRAMPOLINE(hook)                                                                           \
	__asm__("	jmp 2f\n"                                                                  \
		"1:	jmp work\n"                                                                \
		"2:	nopl 0(%rax, %rax)\n"                                                      \
		"	lea -128(%rsp), %rsp\n	.cfi_adjust_cfa_offset 128\n"                      \
		"	push %rax\n	.cfi_adjust_cfa_offset 8\n"                                \
		"	lea 1b(%rip), %rax\n"                                                      \
		"	call " hook "\n"                                                           \
		"	pop %rax\n	.cfi_adjust_cfa_offset -8\n"                               \
		"	lea 128(%rsp), %rsp\n	.cfi_adjust_cfa_offset -128\n"                     \
		"	nop\n"                                                                     \
		"	jmp 1b\n")

static CPU_NAKED void displaced(SUBJECT)
{
	TRAMPOLINE("displaced_hook");
}

static CPU_NAKED void displaced_empty(SUBJECT)
{
	TRAMPOLINE("empty_hook");
}

struct subject {
	void (*hooked)(const void *, void *, unsigned);
	void (*empty)(const void *, void *, unsigned);
};

static const struct subject by_function = {called, called_empty},
			    by_trampoline = {displaced, displaced_empty};

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
	const struct subject *s = p->options->plans ? &by_trampoline : &by_function;
	uintptr_t interrupted = track_distance;
	struct bench bench;

	if (p->clock == ZPROF_CLOCK_FAKE)
		return;
	/* Where calls are counted alone, tick_read() has stopped. */
	if (bench_init(&bench, p, p->clock == ZPROF_CLOCK_TSC ? cpu_counter : system_clock)) {
		track_distance = (uintptr_t)&bench.track - (uintptr_t)__builtin_thread_pointer();
		p->cost->entry_milliticks = price(&bench, s->hooked);
		p->cost->entry_call_milliticks = price(&bench, s->empty);
		track_distance = interrupted;
	}
	bench_fini(&bench);
	p->header->hook_entry_milliticks = p->cost->entry_milliticks;
	p->header->hook_entry_call_milliticks = p->cost->entry_call_milliticks;
}
