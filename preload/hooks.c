/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - what the compiler calls: __cyg_profile_func_enter() at the beginning of every
 * instrumented function and __cyg_profile_func_exit() at its end (gcc(1), -finstrument-functions).
 *
 * rbp is read as the caller left it: this file is compiled so that the compiler never uses it
 * (-ffixed-rbp).
 */
#include "preload/hot.h"

#include "preload/hooks.h"
#include "preload/nested.h"

/*
 * The slow ways take the event apart into registers: so the hot path never stores it, and can jump
 * to them. They need the time, whatever the instance.
 */
#define PARTS                                                                                      \
	uint64_t ticks, uintptr_t zone, uintptr_t call_site, uintptr_t sp, uintptr_t ret,          \
	    uintptr_t bp
#define TOGETHER                                                                                   \
	{                                                                                          \
		ticks ? ticks : tick_now(), zone, call_site, sp, ret, bp                           \
	}
#define APART(e)   (e).ticks, (e).zone, (e).call_site, (e).sp, (e).ret, (e).bp
#define SLOW(name) static __attribute__((noinline)) void name(PARTS)
#define HOOK(name) static void name(void *function, void *call_site)

SLOW(enter_slowly)
{
	struct event e = TOGETHER;

	track_slow_enter(&track_self, &e);
	hot_end(&track_self, sp);
}

SLOW(exit_slowly)
{
	struct event e = TOGETHER;

	track_slow_exit(&track_self, &e);
	hot_end(&track_self, sp);
}

SLOW(enter_nested)
{
	struct event e = TOGETHER;

	nested_enter(&e);
}

SLOW(exit_nested)
{
	struct event e = TOGETHER;

	nested_exit(&e);
}

/* What an untimed event turns out not to be: between segments of which one is timed. */
SLOW(enter_timed)
{
	struct event e = {tick_read(), zone, call_site, sp, ret, bp};

	(void)ticks;
	if (USUAL(hot_enter(&track_self, &e, TIMING_TIMED)))
		hot_end(&track_self, sp);
	else
		enter_slowly(APART(e));
}

SLOW(exit_timed)
{
	struct event e = {tick_read(), zone, call_site, sp, ret, bp};

	(void)ticks;
	if (USUAL(hot_exit(&track_self, &e, TIMING_TIMED)))
		hot_end(&track_self, sp);
	else
		exit_slowly(APART(e));
}

#define INSTANCE(name, timing, otherwise_enter, otherwise_exit)                                    \
	HOOK(enter_##name)                                                                         \
	{                                                                                          \
		HOT_TIMED_EVENT(e, timing, (uintptr_t)function, (uintptr_t)call_site);             \
                                                                                                   \
		if (RARE(track_self.busy)) {                                                       \
			enter_nested(APART(e));                                                    \
			return;                                                                    \
		}                                                                                  \
		hot_begin(&track_self, e.sp);                                                      \
		if (!USUAL(hot_at_home(&track_self, e.sp)))                                        \
			enter_slowly(APART(e));                                                    \
		else if (USUAL(hot_enter(&track_self, &e, timing)))                                \
			hot_end(&track_self, e.sp);                                                \
		else                                                                               \
			otherwise_enter(APART(e));                                                 \
	}                                                                                          \
                                                                                                   \
	HOOK(exit_##name)                                                                          \
	{                                                                                          \
		HOT_TIMED_EVENT(e, timing, (uintptr_t)function, (uintptr_t)call_site);             \
                                                                                                   \
		if (RARE(track_self.busy)) {                                                       \
			exit_nested(APART(e));                                                     \
			return;                                                                    \
		}                                                                                  \
		hot_begin(&track_self, e.sp);                                                      \
		if (!USUAL(hot_at_home(&track_self, e.sp)))                                        \
			exit_slowly(APART(e));                                                     \
		else if (USUAL(hot_exit(&track_self, &e, timing)))                                 \
			hot_end(&track_self, e.sp);                                                \
		else                                                                               \
			otherwise_exit(APART(e));                                                  \
	}

INSTANCE(exact, TIMING_EXACT, enter_slowly, exit_slowly)
INSTANCE(count, TIMING_COUNT, enter_slowly, exit_slowly)
INSTANCE(adaptive, TIMING_UNTIMED, enter_timed, exit_timed)

static void (*enter_now)(void *, void *) __attribute__((used)) = enter_exact;
static void (*exit_now)(void *, void *) __attribute__((used)) = exit_exact;

void hooks_choose(uint32_t mode)
{
	if (mode == ZPROF_MODE_COUNT) {
		enter_now = enter_count;
		exit_now = exit_count;
	} else if (mode == ZPROF_MODE_ADAPTIVE) {
		enter_now = enter_adaptive;
		exit_now = exit_adaptive;
	}
}

#define JUMP(name, to)                                                                             \
	__asm__(".text\n"                                                                          \
		".globl " #name "\n"                                                               \
		".type " #name ", @function\n" #name ":\n"                                         \
		"	.cfi_startproc\n"                                                                \
		"	jmp *" #to "(%rip)\n"                                                      \
		"	.cfi_endproc\n"                                                                  \
		".size " #name ", .-" #name "\n")

/* The stack is as the program left it. */
JUMP(__cyg_profile_func_enter, enter_now);
JUMP(__cyg_profile_func_exit, exit_now);
