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
 * general registers only, and save those they use: few on the usual way, hence the slow ways are
 * apart; vector and x87 registers are never touched. __return__ also comes right before the jump to
 * another function, whose arguments are in their registers by then. And the stack is aligned to 16
 * bytes on entry to either hook, which is not what a function expects after a call.
 *
 * A function that ends by jumping to another passes __return__ before it jumps: so the one replaces
 * the other in the zone stack, as it does on the real one, and both are shown as called by whoever
 * called the first.
 */
#define FRONT_ATTRIBUTES      __attribute__((no_caller_saved_registers))
#define FRONT_SLOW_ATTRIBUTES __attribute__((no_caller_saved_registers, force_align_arg_pointer))
#define FRONT_ARGUMENTS       void
#define FRONT_BEGIN           const uintptr_t *s = __builtin_dwarf_cfa();
/*
 * gcc writes `call rel32`, of five bytes, or `call *...(%rip)`, of six, and maybe an endbr64
 * before: the zone is in the first instructions either way, and reports name it by the symbol it
 * lies in.
 */
#define FRONT_ENTERED(now) FRONT_ENTERED_WITH(now, cpu_frame_pointer())
#define FRONT_ENTERED_WITH(now, bp)                                                                \
	{                                                                                          \
		(now), s[-1] - EVENT_CALL_BYTES, s[0], (uintptr_t)s, s[-1], bp                     \
	}
/* As if the exit hook had been tail-called: sp is the CFA, and the zone is whichever runs there. */
#define FRONT_LEFT(now) FRONT_LEFT_WITH(now, cpu_frame_pointer())
#define FRONT_LEFT_WITH(now, bp)                                                                   \
	{                                                                                          \
		(now), EVENT_ANY_ZONE, s[0], (uintptr_t)(s + 1), s[0], bp                          \
	}
/* What takes over aligns its stack by rbp, and gets the program's from here. */
#define PARTS              const uintptr_t *s, uint64_t ticks, uintptr_t bp
#define APART(e)           s, (e).ticks, (e).bp
#define PARTS_ENTERED(now) FRONT_ENTERED_WITH(now, bp)
#define PARTS_LEFT(now)    FRONT_LEFT_WITH(now, bp)
#define FRONT_EXIT      hot_return
#define FRONT_ENTER_OUT only_is_out(s[-1] - EVENT_CALL_BYTES)
#define FRONT_EXIT_OUT  false
#include "preload/hooks/front.h"
#include "preload/hooks/hooks.h"

void fentry_choose(uint32_t mode, bool filtered)
{
	choose(mode, filtered);
}

void fentry_off(void)
{
	turn_off();
}

void fentry_awake(void)
{
	wake(&enter_now, enter_exact);
	wake(&exit_now, exit_exact);
}

void __fentry__(void);
void __return__(void);

CPU_ENTRY void __fentry__(void)
{
	CPU_HOOK(enter_now, 1);
}

CPU_ENTRY void __return__(void)
{
	CPU_HOOK(exit_now, 0);
}
