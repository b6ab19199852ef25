/* SPDX-License-Identifier: MIT */
/*
 * hooks.c - what the compiler calls: __cyg_profile_func_enter() at the beginning of every
 * instrumented function and __cyg_profile_func_exit() at its end (gcc(1), -finstrument-functions).
 *
 * rbp is read as the caller left it: this file is compiled so that the compiler never uses it
 * (-ffixed-rbp).
 */
#define FRONT_ATTRIBUTES
#define FRONT_SLOW_ATTRIBUTES
#define FRONT_ARGUMENTS void *function, void *call_site
#define FRONT_BEGIN
#define FRONT_ENTERED(now)                                                                         \
	{                                                                                          \
		.ticks = (now), .zone = (uintptr_t)function, .call_site = (uintptr_t)call_site,    \
		.sp = (uintptr_t)__builtin_dwarf_cfa(),                                            \
		.ret = (uintptr_t)__builtin_return_address(0), .bp = cpu_frame_pointer()           \
	}
#define FRONT_LEFT FRONT_ENTERED
#define PARTS      uintptr_t zone, uintptr_t call_site, uint64_t ticks, uintptr_t sp, uintptr_t ret
#define APART(e)   (e).zone, (e).call_site, (e).ticks, (e).sp, (e).ret
#define PARTS_ENTERED(now)                                                                         \
	{                                                                                          \
		(now), zone, call_site, sp, ret, cpu_frame_pointer()                               \
	}
#define PARTS_LEFT      PARTS_ENTERED
#define FRONT_EXIT      hot_exit
#define FRONT_ENTER_OUT only_is_out((uintptr_t)function)
#define FRONT_EXIT_OUT  FRONT_ENTER_OUT
#include "preload/hooks/hooks.h"

#include "preload/hooks/front.h"

void hooks_choose(uint32_t mode, bool filtered)
{
	choose(mode, filtered);
}

void hooks_off(void)
{
	turn_off();
}

void hooks_awake(void)
{
	wake(&enter_now, enter_exact);
	wake(&exit_now, exit_exact);
}

/* The parameters are for readers and tools: the body leaves them where they are. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

CPU_ENTRY void __cyg_profile_func_enter(void *function, void *call_site)
{
	CPU_HOOK(enter_now, 1);
}

CPU_ENTRY void __cyg_profile_func_exit(void *function, void *call_site)
{
	CPU_HOOK(exit_now, 0);
}
