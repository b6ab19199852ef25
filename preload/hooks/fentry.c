/* SPDX-License-Identifier: MIT */
/*
 * fentry.c - the second front end: what gcc's `-pg -mfentry -minstrument-return=call` calls.
 *
 * -finstrument-functions reports the functions of the source, those that were inlined too. This
 * front end reports the functions that exist after inlining: __fentry__ is called as a function's
 * first instruction, and __return__ right before each `ret`. So optimized code is measured as it
 * runs.
 *
 * Neither hook has arguments; everything is on the stack. At both places the frame is just the
 * return address, so the CFA is known without looking:
 *
 *     CFA ->  ----------------
 *             return address      of the function: the call site
 *     s   ->  ----------------    the function's stack pointer as it calls us
 *             our return address  five bytes into the function
 *
 * The compiler expects every register to survive: arguments are in them, and results. The hooks use
 * general registers only, and save those they use: few on the usual way, so the slow ways are
 * separate functions; vector and x87 registers are never touched. __return__ also comes right
 * before the jump to another function, whose arguments are in their registers by then. And the
 * stack is aligned to 16 bytes on entry to either hook, which is not what a function expects after
 * a call.
 *
 * A function that ends by jumping to another calls __return__ before it jumps. So the second
 * function replaces the first on the zone stack, as it does on the real one, and both are shown as
 * called by the first one's caller.
 */
#include "preload/hooks/hooks.h"

#include "preload/base/cpu.h"
#include "preload/format.h"
#include "preload/code/only.h"
#include "preload/track/entry.h"
#include "preload/track/hot.h"

#define INSTANCE __attribute__((no_caller_saved_registers))

/*
 * gcc writes `call rel32`, of five bytes, or `call *...(%rip)`, of six, and maybe an endbr64
 * before: the zone is in the first instructions either way, and reports name it by the symbol it
 * lies in.
 */
HOT uintptr_t zone_at(const uintptr_t *s)
{
	return s[-1] - EVENT_CALL_BYTES;
}

/*
 * ---- the slow functions (front_slow.h). A slow function aligns its stack by rbp, and gets the
 * program's as a parameter.
 */

#define SLOW       __attribute__((noinline, used, no_caller_saved_registers, force_align_arg_pointer))
#define PARTS      const uintptr_t *s, uint64_t ticks, uintptr_t bp
#define PASSED     s, ticks, bp
#define APART(e)   s, (e).ticks, cpu_frame_pointer()
#define FRONT_FLAG ZPROF_FENTRY

HOT struct event entered(PARTS)
{
	return (struct event){ticks, zone_at(s), s[0], (uintptr_t)s, s[-1], bp};
}

/* The event of a tail-called exit hook: sp is the CFA. The zone is the one open in that frame. */
HOT struct event left(PARTS)
{
	return (struct event){ticks, EVENT_ANY_ZONE, s[0], (uintptr_t)(s + 1), s[0], bp};
}

#include "preload/hooks/front_slow.h"

/* ---- the instances: s is the CFA of the hook; rbp is read anew, so that no register holds it */

HOT void enter(const uintptr_t *s, enum timing timing)
{
	struct event e = entered(s, hot_clock(timing), cpu_frame_pointer());

	FINISH_ENTER(front_enter(&track_self, &e, timing), e, timing);
}

HOT void leave(const uintptr_t *s, enum timing timing)
{
	struct event e = left(s, hot_clock(timing), cpu_frame_pointer());

	FINISH(front_return(&track_self, &e, timing), e, exit_slowly, exit_nested);
}

static INSTANCE void enter_exact(void)
{
	enter(__builtin_dwarf_cfa(), TIMING_EXACT);
}

static INSTANCE void exit_exact(void)
{
	leave(__builtin_dwarf_cfa(), TIMING_EXACT);
}

static INSTANCE void enter_exact_filtered(void)
{
	const uintptr_t *s = __builtin_dwarf_cfa();

	if (!front_is_out(zone_at(s)))
		enter(s, TIMING_EXACT);
}

static INSTANCE void enter_count(void)
{
	enter(__builtin_dwarf_cfa(), TIMING_COUNT);
}

static INSTANCE void exit_count(void)
{
	leave(__builtin_dwarf_cfa(), TIMING_COUNT);
}

static INSTANCE void enter_count_filtered(void)
{
	const uintptr_t *s = __builtin_dwarf_cfa();

	if (!front_is_out(zone_at(s)))
		enter(s, TIMING_COUNT);
}

/*
 * ---- the instances for code that calls __fentry__ and not __return__ (entries/entries.h). Only
 * counting is possible there, and __return__, which other code of the program may call, does as
 * ever.
 */

static SLOW void enter_alone_again(PARTS)
{
	struct event e = entered(PASSED);

	if (entry_at_home(&track_self) && entry_enter(&track_self, &e))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(PASSED);
}

HOT void enter_alone(const uintptr_t *s, bool sited)
{
	struct event e = entered(s, 0, cpu_frame_pointer());
	enum front_way way = FRONT_NESTED;

	if (USUAL(!track_self.busy)) {
		bool done;

		hot_begin(&track_self, e.sp);
		done = entry_at_home(&track_self) && entry_enter(&track_self, &e);
		if (done && sited && track_self.callsites)
			callsites_entered(&track_self, &e);
		way = front_end(&track_self, &e, done);
	}
	FINISH(way, e, enter_slowly, enter_nested);
}

static INSTANCE void enter_count_alone_filtered(void)
{
	const uintptr_t *s = __builtin_dwarf_cfa();

	if (!front_is_out(zone_at(s)))
		enter_alone(s, false);
}

static INSTANCE void enter_count_alone_sited(void)
{
	const uintptr_t *s = __builtin_dwarf_cfa();

	if (!only_out || !front_is_out(zone_at(s)))
		enter_alone(s, true);
}

/* ---- the instances that keep call sites; they test each time whether functions are left out */

HOT void enter_sited(const uintptr_t *s, enum timing timing)
{
	struct event e = entered(s, hot_clock(timing), cpu_frame_pointer());

	if (only_out && front_is_out(e.zone))
		return;
	FINISH(front_enter_sited(&track_self, &e, timing), e, enter_slowly, enter_nested);
}

HOT void leave_sited(const uintptr_t *s, enum timing timing)
{
	struct event e = left(s, hot_clock(timing), cpu_frame_pointer());

	FINISH(front_return_sited(&track_self, &e, timing), e, exit_slowly, exit_nested);
}

static INSTANCE void enter_exact_sited(void)
{
	enter_sited(__builtin_dwarf_cfa(), TIMING_EXACT);
}

static INSTANCE void exit_exact_sited(void)
{
	leave_sited(__builtin_dwarf_cfa(), TIMING_EXACT);
}

static INSTANCE void enter_count_sited(void)
{
	enter_sited(__builtin_dwarf_cfa(), TIMING_COUNT);
}

static INSTANCE void exit_count_sited(void)
{
	leave_sited(__builtin_dwarf_cfa(), TIMING_COUNT);
}

/* ---- where the exported hooks go */

uintptr_t fentry_enter_now = FRONT_ASLEEP, fentry_exit_now = FRONT_ASLEEP;

/* __fentry__ itself does what is usual there, without a jump, if `alone_now` says so. */
__attribute__((used)) static bool alone_now;
void enter_count_alone(void) __attribute__((visibility("hidden")));

static uintptr_t alone(bool filtered, bool sited)
{
	return (uintptr_t)(sited      ? enter_count_alone_sited
			   : filtered ? enter_count_alone_filtered
				      : enter_count_alone);
}

void fentry_choose(const struct front_choice *c)
{
	bool filtered = c->filtered;

	if (c->sited) {
		bool counts = c->mode == ZPROF_MODE_COUNT;

		fentry_enter_now = (uintptr_t)(counts ? enter_count_sited : enter_exact_sited);
		fentry_exit_now = (uintptr_t)(counts ? exit_count_sited : exit_exact_sited);
	} else if (c->mode == ZPROF_MODE_COUNT) {
		fentry_enter_now = (uintptr_t)(filtered ? enter_count_filtered : enter_count);
		fentry_exit_now = (uintptr_t)exit_count;
	} else {
		fentry_enter_now = (uintptr_t)(filtered ? enter_exact_filtered : enter_exact);
		fentry_exit_now = (uintptr_t)exit_exact;
	}
	if (c->alone)
		fentry_enter_now = alone(filtered, c->sited);
	alone_now = fentry_enter_now == (uintptr_t)enter_count_alone;
}

void fentry_off(void)
{
	alone_now = false;
	fentry_enter_now = fentry_exit_now = FRONT_OFF;
}

void fentry_awake(void)
{
	front_wake(&fentry_enter_now, (uintptr_t)enter_exact);
	front_wake(&fentry_exit_now, (uintptr_t)exit_exact);
}

void __fentry__(void);
void __return__(void);

CPU_ENTRY void __fentry__(void)
{
	CPU_ENTER_ALONE(BY_FUNCTION, CPU_ALONE_SELF,
			"	cmpb $0, alone_now(%%rip)\n"
			"	je 40f\n"
			"enter_count_alone:\n",
			"", enter_alone_again, enter_nested, settle, "", "40:\n");
	CPU_HOOK(fentry_enter_now, 1);
}

CPU_ENTRY void __return__(void)
{
	CPU_HOOK(fentry_exit_now, 0);
}
