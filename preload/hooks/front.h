/* SPDX-License-Identifier: MIT */
/*
 * front.h - the hooks of a front end, from what it says of its events. Included once, by hooks.c
 * and by fentry.c.
 *
 * For each way of timing there is a pair of functions, which do what is usual in few registers, and
 * jump elsewhere with the rest:
 *
 *     enter_exact() --> enter_exact_again()      the usual all the same, in more registers
 *                  \             \
 *                   `-------------`--> enter_slowly(), enter_nested()
 *
 * What takes over gets an event's parts in registers, so that the hot path never stores it. The
 * includer defines
 *
 *     FRONT_ATTRIBUTES       of a function that is called by the program
 *     FRONT_SLOW_ATTRIBUTES  of one that such a function jumps to
 *     FRONT_ARGUMENTS        of a hook
 *     FRONT_BEGIN            what a hook begins with
 *     FRONT_ENTERED(ticks)   a hook's event, as an initializer; FRONT_LEFT(ticks)
 *     PARTS                  parameters of what takes over; it may use ticks
 *     APART(e)               the arguments
 *     PARTS_ENTERED(ticks)   the event made up of them again; PARTS_LEFT(ticks)
 *     FRONT_EXIT             hot_exit(), or what stands for it
 *     FRONT_ENTER_OUT        whether a hook's function is known to be left out (only.h);
 *     FRONT_EXIT_OUT         asked before anything else where functions may be
 */
#ifndef ZPROF_FRONT_H
#define ZPROF_FRONT_H

#include "preload/track/hot.h"

#include "preload/track/nested.h"
#include "preload/code/only.h"

#define SLOW(name) static FRONT_SLOW_ATTRIBUTES __attribute__((noinline)) void name(PARTS)

/* The slow ways need the time, whatever the instance. */
#define SOME(ticks) ((ticks) ? (ticks) : tick_now())

SLOW(enter_slowly)
{
	struct event e = PARTS_ENTERED(SOME(ticks));

	track_slow_enter(&track_self, &e);
	hot_end(&track_self, e.sp);
}

SLOW(exit_slowly)
{
	struct event e = PARTS_LEFT(SOME(ticks));

	track_slow_exit(&track_self, &e);
	hot_end(&track_self, e.sp);
}

SLOW(enter_nested)
{
	struct event e = PARTS_ENTERED(SOME(ticks));

	nested_enter(&e);
}

SLOW(exit_nested)
{
	struct event e = PARTS_LEFT(SOME(ticks));

	nested_exit(&e);
}

static FRONT_SLOW_ATTRIBUTES __attribute__((noinline)) void settle(uintptr_t sp)
{
	track_settle(&track_self, sp);
}

#define AGAIN(name, timing)                                                                        \
	SLOW(name)                                                                                 \
	{                                                                                          \
		struct event e = PARTS_ENTERED(ticks);                                             \
                                                                                                   \
		if (USUAL(hot_enter(&track_self, &e, timing, THOROUGH)))                           \
			hot_end(&track_self, e.sp);                                                \
		else                                                                               \
			enter_slowly(APART(e));                                                    \
	}

#define HOOK(name, is_out, its_event, step, nested, slowly, otherwise)                             \
	static FRONT_ATTRIBUTES void name(FRONT_ARGUMENTS)                                         \
	{                                                                                          \
		FRONT_BEGIN                                                                        \
		struct event e;                                                                    \
                                                                                                   \
		if (is_out)                                                                        \
			return;                                                                    \
		e = (struct event)its_event;                                                       \
		if (RARE(track_self.busy)) {                                                       \
			nested(APART(e));                                                          \
			return;                                                                    \
		}                                                                                  \
		hot_begin(&track_self, e.sp);                                                      \
		if (!USUAL(hot_at_home(&track_self, e.sp)))                                        \
			slowly(APART(e));                                                          \
		else if (!USUAL(step))                                                             \
			otherwise(APART(e));                                                       \
		else if (hot_end_marked(&track_self, e.sp))                                        \
			settle(e.sp);                                                              \
	}

#define HOOKS(name, timing, enter_is_out, exit_is_out, again)                                      \
	HOOK(enter_##name, enter_is_out, FRONT_ENTERED(HOT_CLOCK(timing)),                         \
	     hot_enter(&track_self, &e, timing, QUICK), enter_nested, enter_slowly, again)         \
	HOOK(exit_##name, exit_is_out, FRONT_LEFT(HOT_CLOCK(timing)),                              \
	     FRONT_EXIT(&track_self, &e, timing), exit_nested, exit_slowly, exit_slowly)

/* The pair, and the same for where functions may be left out. */
#define INSTANCE(name, timing)                                                                     \
	AGAIN(enter_##name##_again, timing)                                                        \
	HOOKS(name, timing, false, false, enter_##name##_again)                                    \
	HOOKS(name##_filtered, timing, FRONT_ENTER_OUT, FRONT_EXIT_OUT, enter_##name##_again)

INSTANCE(exact, TIMING_EXACT)
INSTANCE(count, TIMING_COUNT)

/*
 * Where an exported hook goes: an instance's function, or a number. It is a number at first, which
 * needs no relocation, for hooks may be called before the library is relocated (wake.h).
 */
#define FRONT_OFF    0 /* back to the program: nothing is recorded */
#define FRONT_ASLEEP 1 /* to hooks_wake() */

static uintptr_t enter_now __attribute__((used)) = FRONT_ASLEEP;
static uintptr_t exit_now __attribute__((used)) = FRONT_ASLEEP;

static void wake(uintptr_t *now, FRONT_ATTRIBUTES void (*first)(FRONT_ARGUMENTS))
{
	uintptr_t asleep = FRONT_ASLEEP;

	__atomic_compare_exchange_n(now, &asleep, (uintptr_t)first, false, __ATOMIC_RELAXED,
				    __ATOMIC_RELAXED);
}

static void turn_off(void)
{
	enter_now = exit_now = FRONT_OFF;
}

#define CHOOSE(name)                                                                               \
	do {                                                                                       \
		enter_now = (uintptr_t)(filtered ? enter_##name##_filtered : enter_##name);        \
		exit_now = (uintptr_t)(filtered ? exit_##name##_filtered : exit_##name);           \
	} while (0)

static void choose(uint32_t mode, bool filtered)
{
	if (mode == ZPROF_MODE_COUNT)
		CHOOSE(count);
	else
		CHOOSE(exact);
}

#endif
