/* SPDX-License-Identifier: MIT */
/*
 * displaced.c - the third front end: entries of functions that nobody built with hooks. The first
 * instruction of such a function jumps to the function's trampoline (code/areas.h), and the
 * trampoline calls displaced_enter(). The functions tell nothing as they end (entries/entries.h).
 *
 * At the entry of a function nothing is free:
 *
 *   - A caller may keep values in any register, because gcc -fipa-ra, which is on at -O2, lets the
 *     caller know which registers a function of the same file leaves alone. Vector registers and
 *     MXCSR are never touched, because the library is compiled for general registers alone.
 *   - Flags, and the 128 bytes below the stack pointer, are kept, because code that looks like a
 *     function may be a part of one, which is entered by a jump.
 *
 * So the usual way is CPU_ENTER_ALONE in the form for trampolines (base/cpu/x86_64_alone.h), and the
 * slow functions save what they use. They get the address s of the function's own return address,
 * the function, and rbp.
 */
#include "preload/hooks/hooks.h"

#include "preload/base/cpu.h"
#include "preload/format.h"
#include "preload/code/only.h"
#include "preload/track/entry.h"
#include "preload/track/hot.h"

#define SLOW       __attribute__((noinline, used, no_caller_saved_registers, force_align_arg_pointer))
#define PARTS      const uintptr_t *s, uintptr_t function, uintptr_t bp
#define PASSED     s, function, bp
#define APART(e)   s, (e).zone, bp
#define FRONT_FLAG ZPROF_FENTRY
#define FRONT_ENTERS_ALONE

/* The event is as one of __fentry__, called by the function's first instruction. */
HOT struct event entered(PARTS)
{
	return (struct event){0, function, s[0], (uintptr_t)s, function + EVENT_CALL_BYTES, bp};
}

#include "preload/hooks/front_slow.h"

static SLOW void enter_again(PARTS)
{
	struct event e = entered(PASSED);

	if (entry_at_home(&track_self) && entry_enter(&track_self, &e))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(PASSED);
}

/* ---- where the hook goes */

/*
 * The usual way is taken if no function with a trampoline is left out, and call sites are not kept.
 * What only= leaves out has no trampoline (displace/displace.h).
 */
__attribute__((used)) static bool usual_now;
static bool recording_now;

/* If functions are left out, or call sites are kept, or nothing is recorded. */
static SLOW void enter_otherwise(PARTS)
{
	struct event e = entered(PASSED);
	enum front_way way = FRONT_NESTED;

	if (!recording_now || (only_out && front_is_out(e.zone)))
		return;
	if (USUAL(!track_self.busy)) {
		bool done;

		hot_begin(&track_self, e.sp);
		done = entry_at_home(&track_self) && entry_enter(&track_self, &e);
		if (done && track_self.callsites)
			callsites_entered(&track_self, &e);
		way = front_end(&track_self, &e, done);
	}
	FINISH(way, e, enter_slowly, enter_nested);
}

void displaced_choose(const struct front_choice *c)
{
	recording_now = true;
	usual_now = !c->chosen && !c->sited;
}

void displaced_off(void)
{
	recording_now = usual_now = false;
}

CPU_NAKED void displaced_enter(void)
{
	CPU_ENTER_ALONE(BY_TRAMPOLINE, CPU_ALONE_SELF, "",
			"	cmpb $0, usual_now(%%rip)\n"
			"	je 40f\n",
			enter_again, enter_nested, settle,
			CPU_ALONE_OTHERWISE(BY_TRAMPOLINE, enter_otherwise), "");
}
