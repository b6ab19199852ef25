/* SPDX-License-Identifier: MIT */
/*
 * front_slow.h - a template: the slow functions of a front end, and how its instances end (front.h
 * has the list of both). hooks.c and fentry.c include it once each, so each has slow functions of
 * its own.
 *
 * An instance passes the parts of an event in registers, so that it never stores the event. The
 * front ends differ in what these parts are, and in which registers a function may change. So a
 * front end defines these names before the #include:
 *
 *     SLOW             the attributes of a slow function
 *     PARTS            its parameters: the parts of an event
 *     PASSED           its parameters, as the arguments of another slow function
 *     APART(e)         the parts of an instance's event e, as arguments
 *     FRONT_FLAG       the flag that says in the profile that this front end is used, or 0
 *
 *     entered(PARTS)   a function: the event of an entry, made of its parts
 *     left(PARTS)      a function: the event of an exit
 *
 * A front end of entries alone, in programs that nobody built with hooks, defines FRONT_ENTERS_ALONE,
 * and no function left().
 *
 * A slow function must never be inlined: an instance would save its registers at each event.
 */
#ifndef ZPROF_FRONT_SLOW_H
#define ZPROF_FRONT_SLOW_H

#include "preload/hooks/front.h"
#include "preload/track/charge.h"
#include "preload/track/hot.h"
#include "preload/slow/nested.h"
#include "preload/slow/slow.h"

/* The first function of a front end that has a flag sets it in the profile. */
static inline void note_front(struct process *p)
{
	if (~p->header->flags & FRONT_FLAG)
		__atomic_fetch_or(&p->header->flags, FRONT_FLAG, __ATOMIC_RELAXED);
}

/* ---- the slow functions */

static SLOW void enter_slowly(PARTS)
{
	struct event e = entered(PASSED);

	e.ticks = front_ticks(e.ticks);
	slow_enter(&track_self, &e);
	note_front(track_self.process);
	hot_end(&track_self, e.sp);
}

#ifndef FRONT_ENTERS_ALONE
static SLOW void exit_slowly(PARTS)
{
	struct event e = left(PASSED);

	e.ticks = front_ticks(e.ticks);
	slow_exit(&track_self, &e);
	hot_end(&track_self, e.sp);
}
#endif

static SLOW void enter_nested(PARTS)
{
	struct event e = entered(PASSED);

	e.ticks = front_ticks(e.ticks);
	nested_enter(&e);
}

#ifndef FRONT_ENTERS_ALONE
static SLOW void exit_nested(PARTS)
{
	struct event e = left(PASSED);

	e.ticks = front_ticks(e.ticks);
	nested_exit(&e);
}
#endif

static SLOW void settle(uintptr_t sp)
{
	charge_settle(&track_self, sp);
}

#ifndef FRONT_ENTERS_ALONE
static SLOW void enter_exact_again(PARTS)
{
	struct event e = entered(PASSED);

	if (USUAL(hot_enter(&track_self, &e, TIMING_EXACT, THOROUGH)))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(PASSED);
}

static SLOW void enter_count_again(PARTS)
{
	struct event e = entered(PASSED);

	if (USUAL(hot_enter(&track_self, &e, TIMING_COUNT, THOROUGH)))
		hot_end(&track_self, e.sp);
	else
		enter_slowly(PASSED);
}

#endif

/*
 * ---- how an instance ends, by how far it came
 *
 * As inline functions, these macros would change the instructions of the usual way: gcc guesses
 * anew which cases are rare.
 */

/* After front_enter(), which tries few cases (QUICK): in other cases ..._again() tries all. */
#define FINISH_ENTER(way, e, timing)                                                               \
	switch (way) {                                                                             \
	case FRONT_DONE:                                                                           \
		return;                                                                            \
	case FRONT_MARKED:                                                                         \
		settle((e).sp);                                                                    \
		return;                                                                            \
	case FRONT_UNUSUAL:                                                                        \
		if ((timing) == TIMING_EXACT)                                                      \
			enter_exact_again(APART(e));                                               \
		else                                                                               \
			enter_count_again(APART(e));                                               \
		return;                                                                            \
	case FRONT_AWAY:                                                                           \
		enter_slowly(APART(e));                                                            \
		return;                                                                            \
	case FRONT_NESTED:                                                                         \
		enter_nested(APART(e));                                                            \
		return;                                                                            \
	}

/* After an exit, or where call sites are kept; `slowly` and `nested`: the slow functions. */
#define FINISH(way, e, slowly, nested)                                                             \
	switch (way) {                                                                             \
	case FRONT_DONE:                                                                           \
		return;                                                                            \
	case FRONT_MARKED:                                                                         \
		settle((e).sp);                                                                    \
		return;                                                                            \
	case FRONT_UNUSUAL:                                                                        \
	case FRONT_AWAY:                                                                           \
		slowly(APART(e));                                                                  \
		return;                                                                            \
	case FRONT_NESTED:                                                                         \
		nested(APART(e));                                                                  \
		return;                                                                            \
	}

#endif
