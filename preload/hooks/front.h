/* SPDX-License-Identifier: MIT */
/*
 * front.h - the steps of a hook, which the two front ends (hooks.c, fentry.c) have in common. A
 * front end has these functions:
 *
 *     __cyg_profile_func_enter()     exported; jumps to one of the instances
 *
 *     enter_exact()                  reads the clock, does what is usual in few registers
 *     enter_exact_filtered()         does so for functions that are not left out (only.h)
 *     enter_exact_again()            tries the usual way again, in more registers
 *     enter_count(), ...             these three functions for clock=count
 *
 *     enter_sited(), ...             for callsites=1, frame= and tails=, of any clock, filtered or not
 *
 *     enter_slowly()                 a new context, another stack
 *     enter_nested()                 the hook has interrupted another
 *     settle()                       another hook has interrupted this one
 *
 * and their counterparts for an exit, which is never tried again. The instances say what a front
 * end knows of an event. enter_exact_again(), enter_count_again() and the last three are the slow
 * functions, which both front ends get from front_slow.h. Slow functions are separate functions,
 * because an instance saves only the registers that it needs.
 */
#ifndef ZPROF_FRONT_H
#define ZPROF_FRONT_H

#include "preload/process/request.h"
#include "preload/code/only.h"
#include "preload/track/hot.h"
#include "preload/calls/callsites.h"
#include "preload/calls/watch.h"

/* How far an instance came: nothing, or all, has been recorded. */
enum front_way {
	FRONT_DONE,
	FRONT_MARKED,  /* done; a handler came meanwhile: settle() */
	FRONT_UNUSUAL, /* busy is set: again(), slowly() */
	FRONT_AWAY,    /* busy is set: slowly(), because hot_at_home() is false */
	FRONT_NESTED,  /* busy is another hook's: nested() */
};

/*
 * The hooks of a function that is left out do nothing, unless a request waits for any hook
 * (request.h).
 */
HOT bool front_is_out(uint64_t zone)
{
	return only_is_out(zone) && !request_waits();
}

HOT enum front_way front_begin(struct track *k, const struct event *e)
{
	if (RARE(k->busy))
		return FRONT_NESTED;
	hot_begin(k, e->sp);
	return USUAL(hot_at_home(k, e->sp)) ? FRONT_DONE : FRONT_AWAY;
}

HOT enum front_way front_end(struct track *k, const struct event *e, bool done)
{
	if (!USUAL(done))
		return FRONT_UNUSUAL;
	return hot_end_marked(k, e->sp) ? FRONT_MARKED : FRONT_DONE;
}

HOT enum front_way front_enter(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);

	return way ? way : front_end(k, e, hot_enter(k, e, timing, QUICK));
}

HOT enum front_way front_exit(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);

	return way ? way : front_end(k, e, hot_exit(k, e, timing));
}

/* As front_exit(), for an exit that does not say which zone ends. */
HOT enum front_way front_return(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);

	return way ? way : front_end(k, e, hot_return(k, e, timing));
}

/*
 * The same steps with callsites=1, frame= or tails=. The zone is entered, and its call begun, while
 * busy is set: otherwise a handler could come between the two. (The slow way does both by itself.)
 */
HOT bool front_is_watched(const struct track *k)
{
	return k->watch && twin_of(k->top->node)->tally & TWIN_WATCHED;
}

HOT enum front_way front_enter_sited(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);
	bool done;

	if (way)
		return way;
	done = hot_enter(k, e, timing, THOROUGH);
	if (done && k->callsites)
		callsites_entered(k, e);
	if (done && RARE(front_is_watched(k)))
		watch_entered(k, e);
	return front_end(k, e, done);
}

HOT enum front_way front_end_sited(struct track *k, const struct event *e, bool done, bool watched)
{
	if (done && k->callsites)
		callsites_left(k, e);
	if (done && RARE(watched))
		watch_left(k, e);
	return front_end(k, e, done);
}

HOT enum front_way front_exit_sited(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);
	bool watched;

	if (way)
		return way;
	watched = front_is_watched(k);
	return front_end_sited(k, e, hot_exit(k, e, timing), watched);
}

HOT enum front_way front_return_sited(struct track *k, const struct event *e, enum timing timing)
{
	enum front_way way = front_begin(k, e);
	bool watched;

	if (way)
		return way;
	watched = front_is_watched(k);
	return front_end_sited(k, e, hot_return(k, e, timing), watched);
}

/* The slow functions need the time, whatever the instance. */
static inline uint64_t front_ticks(uint64_t ticks)
{
	return ticks ? ticks : tick_now();
}

/*
 * Where an exported hook goes: an instance's function, or one of these numbers. The initial value
 * is a number, because a function's address needs relocation, and hooks may be called before the
 * library is relocated (wake.c). CPU_HOOK (base/cpu/) knows both numbers.
 */
#define FRONT_OFF    0 /* back to the program: nothing is recorded */
#define FRONT_ASLEEP 1 /* to hooks_wake() */

static inline void front_wake(uintptr_t *now, uintptr_t first)
{
	uintptr_t asleep = FRONT_ASLEEP;

	__atomic_compare_exchange_n(now, &asleep, first, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif
