/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - what the compiler calls: __cyg_profile_func_enter() at the beginning of every
 * instrumented function and __cyg_profile_func_exit() at its end (gcc(1), -finstrument-functions).
 *
 * rbp is read as the caller left it: this file is compiled so that the compiler never uses it
 * (-ffixed-rbp).
 */
#include "preload/hot.h"

#include "preload/nested.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void __cyg_profile_func_enter(void *function, void *call_site);
EXPORT void __cyg_profile_func_exit(void *function, void *call_site);

/*
 * The slow ways take the event apart into registers: so the hot path never stores it, and can jump
 * to them.
 */
static __attribute__((noinline)) void enter_slowly(uint64_t ticks, uintptr_t zone,
						   uintptr_t call_site, uintptr_t sp, uintptr_t ret,
						   uintptr_t bp)
{
	struct event e = {ticks, zone, call_site, sp, ret, bp};

	track_slow_enter(&track_self, &e);
	hot_end(&track_self, sp);
}

static __attribute__((noinline)) void exit_slowly(uint64_t ticks, uintptr_t zone,
						  uintptr_t call_site, uintptr_t sp, uintptr_t ret,
						  uintptr_t bp)
{
	struct event e = {ticks, zone, call_site, sp, ret, bp};

	track_slow_exit(&track_self, &e);
	hot_end(&track_self, sp);
}

static __attribute__((noinline)) void enter_nested(uint64_t ticks, uintptr_t zone,
						   uintptr_t call_site, uintptr_t sp, uintptr_t ret,
						   uintptr_t bp)
{
	struct event e = {ticks, zone, call_site, sp, ret, bp};

	nested_enter(&e);
}

static __attribute__((noinline)) void exit_nested(uint64_t ticks, uintptr_t zone,
						  uintptr_t call_site, uintptr_t sp, uintptr_t ret,
						  uintptr_t bp)
{
	struct event e = {ticks, zone, call_site, sp, ret, bp};

	nested_exit(&e);
}

#define APART(e) (e).ticks, (e).zone, (e).call_site, (e).sp, (e).ret, (e).bp

void __cyg_profile_func_enter(void *function, void *call_site)
{
	HOT_EVENT(e, (uintptr_t)function, (uintptr_t)call_site);

	if (RARE(track_self.busy)) {
		enter_nested(APART(e));
		return;
	}
	hot_begin(&track_self, e.sp);
	if (USUAL(hot_at_home(&track_self, e.sp)) && USUAL(hot_enter(&track_self, &e)))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(APART(e));
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	HOT_EVENT(e, (uintptr_t)function, (uintptr_t)call_site);

	if (RARE(track_self.busy)) {
		exit_nested(APART(e));
		return;
	}
	hot_begin(&track_self, e.sp);
	if (USUAL(hot_at_home(&track_self, e.sp)) && USUAL(hot_exit(&track_self, &e)))
		hot_end(&track_self, e.sp);
	else
		exit_slowly(APART(e));
}
