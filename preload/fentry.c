/* SPDX-License-Identifier: MIT */
/*
 * fentry.c - the second front end: what gcc's `-pg -mfentry -minstrument-return=call` calls.
 *
 * -finstrument-functions reports the functions of the source, those that were inlined too. This one
 * reports the functions that exist after inlining: __fentry__ is called as a function's first
 * instruction, and __return__ right before each `ret`. So optimized code is measured as it runs.
 *
 * Neither is told anything; the stack has it all. At both places the frame is just the return
 * address, so the CFA is known without looking:
 *
 *     CFA ->  ----------------
 *             return address      of the function: the call site
 *     s   ->  ----------------    the function's stack pointer as it calls us
 *             our return address  five bytes into the function
 *
 * The compiler expects every register to survive: arguments are in them, and results. The hooks use
 * general registers only, which are saved here; vector and x87 registers are never touched.
 *
 * A function that ends by jumping to another passes __return__ before it jumps: so the one replaces
 * the other in the zone stack, as it does on the real one, and both are shown as called by whoever
 * called the first.
 */
#include "preload/hot.h"

#include "preload/hooks.h"
#include "preload/nested.h"

/*
 * The slow ways are told where to look, and make up the event again: so the hot path never stores
 * it. They need the time, whatever the instance.
 */
#define PARTS      const uintptr_t *s, uint64_t ticks, uintptr_t bp
#define APART(e)   s, (e).ticks, (e).bp
#define SLOW(name) static __attribute__((noinline)) void name(PARTS)
#define ENTERED(now)                                                                               \
	{                                                                                          \
		(now), s[-1] - EVENT_CALL_BYTES, s[0], (uintptr_t)s, s[-1], bp                     \
	}
#define LEFT(now)                                                                                  \
	{                                                                                          \
		(now), EVENT_ANY_ZONE, s[0], (uintptr_t)(s + 1), s[0], bp                          \
	}

SLOW(enter_slowly)
{
	struct event e = ENTERED(ticks ? ticks : tick_now());

	track_slow_enter(&track_self, &e);
	hot_end(&track_self, e.sp);
}

SLOW(leave_slowly)
{
	struct event e = LEFT(ticks ? ticks : tick_now());

	track_slow_exit(&track_self, &e);
	hot_end(&track_self, e.sp);
}

SLOW(enter_nested)
{
	struct event e = ENTERED(ticks ? ticks : tick_now());

	nested_enter(&e);
}

SLOW(leave_nested)
{
	struct event e = LEFT(ticks ? ticks : tick_now());

	nested_exit(&e);
}

/* As if the exit hook had been tail-called: sp is the CFA, and the zone is whichever runs there. */
HOT bool leave_hot(struct track *k, const struct event *e, enum timing timing)
{
	int64_t elapsed = hot_elapsed(k, e, timing);

	if (k->top->cfa != e->sp || k->top[-1].cfa == e->sp || RARE(elapsed < 0))
		return false;
	if (timing == TIMING_UNTIMED && !hot_is_untimed(k, k->top[-1].node))
		return false;
	hot_leave(k, elapsed, e, timing);
	return true;
}

/* What an untimed event turns out not to be: between segments of which one is timed. */
SLOW(enter_timed)
{
	struct event e = ENTERED(tick_read());

	(void)ticks;
	if (USUAL(hot_enter(&track_self, &e, TIMING_TIMED)))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(APART(e));
}

SLOW(leave_timed)
{
	struct event e = LEFT(tick_read());

	(void)ticks;
	if (USUAL(leave_hot(&track_self, &e, TIMING_TIMED)))
		hot_end(&track_self, e.sp);
	else
		leave_slowly(APART(e));
}

/*
 * gcc writes `call rel32`, of five bytes, or `call *...(%rip)`, of six, and maybe an endbr64
 * before: the zone is in the first instructions either way, and reports name it by the symbol it
 * lies in.
 */
#define HOOK(name, its_event, timing, step, nested, slowly, otherwise)                             \
	static void name(const uintptr_t *s)                                                       \
	{                                                                                          \
		uintptr_t bp;                                                                      \
		struct event e;                                                                    \
                                                                                                   \
		__asm__ volatile("mov %%rbp, %0" : "=r"(bp));                                      \
		e = (struct event)its_event(HOT_CLOCK(timing));                                    \
		if (RARE(track_self.busy)) {                                                       \
			nested(APART(e));                                                          \
			return;                                                                    \
		}                                                                                  \
		hot_begin(&track_self, e.sp);                                                      \
		if (!USUAL(hot_at_home(&track_self, e.sp)))                                        \
			slowly(APART(e));                                                          \
		else if (USUAL(step(&track_self, &e, timing)))                                     \
			hot_end(&track_self, e.sp);                                                \
		else                                                                               \
			otherwise(APART(e));                                                       \
	}
#define INSTANCE(name, timing, otherwise_enter, otherwise_leave)                                   \
	HOOK(enter_##name, ENTERED, timing, hot_enter, enter_nested, enter_slowly,                 \
	     otherwise_enter)                                                                      \
	HOOK(leave_##name, LEFT, timing, leave_hot, leave_nested, leave_slowly, otherwise_leave)

INSTANCE(exact, TIMING_EXACT, enter_slowly, leave_slowly)
INSTANCE(count, TIMING_COUNT, enter_slowly, leave_slowly)
INSTANCE(adaptive, TIMING_UNTIMED, enter_timed, leave_timed)

static void (*fentry_enter)(const uintptr_t *s) __attribute__((used)) = enter_exact;
static void (*fentry_leave)(const uintptr_t *s) __attribute__((used)) = leave_exact;

void fentry_choose(uint32_t mode)
{
	if (mode == ZPROF_MODE_COUNT) {
		fentry_enter = enter_count;
		fentry_leave = leave_count;
	} else if (mode == ZPROF_MODE_ADAPTIVE) {
		fentry_enter = enter_adaptive;
		fentry_leave = leave_adaptive;
	}
}

/*
 * __return__ also comes right before the jump to another function, whose arguments are in their
 * registers by then: so both save all nine that a call may change. The stack is aligned to 16 bytes
 * on entry to either, and after nine registers it is not, hence the eight bytes more.
 */
#define AROUND(name, hook)                                                                         \
	__asm__(".text\n"                                                                          \
		".globl " #name "\n"                                                               \
		".type " #name ", @function\n" #name ":\n"                                         \
		"	.cfi_startproc\n"                                                                \
		"	push %rax\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %rcx\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %rdx\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %rsi\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %rdi\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %r8\n	.cfi_adjust_cfa_offset 8\n"                                           \
		"	push %r9\n	.cfi_adjust_cfa_offset 8\n"                                           \
		"	push %r10\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	push %r11\n	.cfi_adjust_cfa_offset 8\n"                                          \
		"	sub $8, %rsp\n	.cfi_adjust_cfa_offset 8\n"                                       \
		"	lea 88(%rsp), %rdi\n"                                                            \
		"	call *" #hook "(%rip)\n"                                                   \
		"	add $8, %rsp\n	.cfi_adjust_cfa_offset -8\n"                                      \
		"	pop %r11\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %r10\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %r9\n	.cfi_adjust_cfa_offset -8\n"                                           \
		"	pop %r8\n	.cfi_adjust_cfa_offset -8\n"                                           \
		"	pop %rdi\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %rsi\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %rdx\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %rcx\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	pop %rax\n	.cfi_adjust_cfa_offset -8\n"                                          \
		"	ret\n"                                                                           \
		"	.cfi_endproc\n"                                                                  \
		".size " #name ", .-" #name "\n")

AROUND(__fentry__, fentry_enter);
AROUND(__return__, fentry_leave);
