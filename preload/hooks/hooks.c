/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - the hooks that the compiler calls: __cyg_profile_func_enter() at the beginning of every
 * instrumented function and __cyg_profile_func_exit() at its end (gcc(1), -finstrument-functions).
 *
 * The hooks read rbp as their caller left it. This file is compiled with -ffixed-rbp, so that the
 * compiler never uses rbp, and the slow functions find the caller's value there too.
 */
#include "preload/hooks/hooks.h"

#include "preload/base/cpu.h"
#include "preload/format.h"
#include "preload/code/only.h"
#include "preload/track/hot.h"

/* ---- the slow functions (front_slow.h); the parts of an event just fit into registers */

#define SLOW       __attribute__((noinline))
#define PARTS      uintptr_t zone, uintptr_t call_site, uint64_t ticks, uintptr_t sp, uintptr_t ret
#define PASSED     zone, call_site, ticks, sp, ret
#define APART(e)   (e).zone, (e).call_site, (e).ticks, (e).sp, (e).ret
#define FRONT_FLAG 0

HOT struct event entered(PARTS)
{
	return (struct event){ticks, zone, call_site, sp, ret, cpu_frame_pointer()};
}

HOT struct event left(PARTS)
{
	return entered(PASSED);
}

#include "preload/hooks/front_slow.h"

/* ---- the instances */

HOT void enter(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	FINISH_ENTER(front_enter(&track_self, &e, timing), e, timing);
}

HOT void leave(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	FINISH(front_exit(&track_self, &e, timing), e, exit_slowly, exit_nested);
}

static void enter_exact(void *function, void *call_site)
{
	enter(function, call_site, TIMING_EXACT);
}

static void exit_exact(void *function, void *call_site)
{
	leave(function, call_site, TIMING_EXACT);
}

static void enter_exact_filtered(void *function, void *call_site)
{
	if (!front_is_out((uintptr_t)function))
		enter(function, call_site, TIMING_EXACT);
}

static void exit_exact_filtered(void *function, void *call_site)
{
	if (!front_is_out((uintptr_t)function))
		leave(function, call_site, TIMING_EXACT);
}

static void enter_count(void *function, void *call_site)
{
	enter(function, call_site, TIMING_COUNT);
}

static void exit_count(void *function, void *call_site)
{
	leave(function, call_site, TIMING_COUNT);
}

static void enter_count_filtered(void *function, void *call_site)
{
	if (!front_is_out((uintptr_t)function))
		enter(function, call_site, TIMING_COUNT);
}

static void exit_count_filtered(void *function, void *call_site)
{
	if (!front_is_out((uintptr_t)function))
		leave(function, call_site, TIMING_COUNT);
}

/*
 * ---- the instance for programs of which other code has entries without exits (entries.h): the
 * zone on top may have ended, so each entry goes the slow way
 */

static void enter_mixed(void *function, void *call_site)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, TIMING_COUNT);
	enum front_way way;

	if (only_out && front_is_out(e.zone))
		return;
	way = front_begin(&track_self, &e);
	FINISH(way ? way : FRONT_UNUSUAL, e, enter_slowly, enter_nested);
}

/* ---- the instances that keep call sites; they test each time whether functions are left out */

HOT void enter_sited(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	if (only_out && front_is_out(e.zone))
		return;
	FINISH(front_enter_sited(&track_self, &e, timing), e, enter_slowly, enter_nested);
}

HOT void leave_sited(void *function, void *call_site, enum timing timing)
{
	struct event e = hot_event((uintptr_t)function, (uintptr_t)call_site, timing);

	if (only_out && front_is_out(e.zone))
		return;
	FINISH(front_exit_sited(&track_self, &e, timing), e, exit_slowly, exit_nested);
}

static void enter_exact_sited(void *function, void *call_site)
{
	enter_sited(function, call_site, TIMING_EXACT);
}

static void exit_exact_sited(void *function, void *call_site)
{
	leave_sited(function, call_site, TIMING_EXACT);
}

static void enter_count_sited(void *function, void *call_site)
{
	enter_sited(function, call_site, TIMING_COUNT);
}

static void exit_count_sited(void *function, void *call_site)
{
	leave_sited(function, call_site, TIMING_COUNT);
}

/* ---- where the exported hooks go */

uintptr_t hooks_enter_now = FRONT_ASLEEP, hooks_exit_now = FRONT_ASLEEP;

void hooks_choose(const struct front_choice *c)
{
	bool filtered = c->filtered;

	if (c->sited) {
		bool counts = c->mode == ZPROF_MODE_COUNT;

		hooks_enter_now = (uintptr_t)(counts ? enter_count_sited : enter_exact_sited);
		hooks_exit_now = (uintptr_t)(counts ? exit_count_sited : exit_exact_sited);
	} else if (c->mode == ZPROF_MODE_COUNT) {
		hooks_enter_now = (uintptr_t)(filtered ? enter_count_filtered : enter_count);
		hooks_exit_now = (uintptr_t)(filtered ? exit_count_filtered : exit_count);
	} else {
		hooks_enter_now = (uintptr_t)(filtered ? enter_exact_filtered : enter_exact);
		hooks_exit_now = (uintptr_t)(filtered ? exit_exact_filtered : exit_exact);
	}
	if (c->alone)
		hooks_enter_now = (uintptr_t)enter_mixed;
}

void hooks_off(void)
{
	hooks_enter_now = hooks_exit_now = FRONT_OFF;
}

void hooks_awake(void)
{
	front_wake(&hooks_enter_now, (uintptr_t)enter_exact);
	front_wake(&hooks_exit_now, (uintptr_t)exit_exact);
}

/* The parameters are for readers and tools: the body leaves them where they are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

CPU_ENTRY void __cyg_profile_func_enter(void *function, void *call_site)
{
	CPU_HOOK(hooks_enter_now, 1);
}

CPU_ENTRY void __cyg_profile_func_exit(void *function, void *call_site)
{
	CPU_HOOK(hooks_exit_now, 0);
}
