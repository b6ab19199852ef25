/* SPDX-License-Identifier: MIT */
/*
 * lengthened.h - how much of a wait may be there because other threads were in hooks.
 *
 * A thread that waits for a lock waits for all that another thread does while it holds the lock, and
 * for the hooks in that, too. The kernel's notes tell exactly how long the thread waited. Without
 * hooks, the wait may be far shorter: a pool of threads that waited for 7.2 s waited for 0.2 s
 * without them. So the bar of a wait says how much of it hooks may have added.
 *
 * ## The most that hooks can add
 *
 * In its life E, a thread either ran (R), stood by while others had its processor (S), or waited:
 *
 *     W = E - R - S
 *
 * Take all hooks away, but let each thread get each lock, and wake each other thread, in the same
 * order as before. Then no event is later than before. Followed backwards from the thread's end,
 * each event was delayed by one event before it. This chain is in one thread at a time, so E shrinks
 * by no more than the hooks on the chain, which are at most the hooks of all threads. R shrinks by
 * the thread's own hooks. If S does not grow, the waits shrink by the difference:
 *
 *     W - W' <= H(all) - H(own) = H(others)
 *
 * H(others) bounds what the sum of the thread's waits loses. It also bounds what a part of the sum
 * loses, the waits in one zone, unless the thread then waits elsewhere instead. So a long wait
 * beside few hooks has a narrow bar, and many hooks give a short wait a bar of its whole length.
 *
 * The time that passed for others' hooks is more than their CPU time, because a thread can lose its
 * processor in a hook, too. While others ran or stood by, they did so for hooks by this share:
 *
 *     share     = (hooks + doubt) / (hooks + program)       H(others) = share * (R + S of others)
 *
 * `doubt` is the doubt about the program's own time (estimate.h): what hooks keep compilers from
 * optimizing lengthens waits as hooks do.
 *
 * ## Waits that hooks make
 *
 * The order does not stay the same. A lock that is held for longer is found taken more often, and
 * each further wait takes the time to wake the thread and to get a processor, in which no hook
 * runs. So the same share of the waits may be the hooks' making, with up to WAKING_NS of each:
 *
 *     lengthened = H(others) + share * (the lesser of waits * WAKING_NS and W)      at most 0.999 W
 *
 * A bar as long as the time would make the time a bound (cost_is_bound()), twice as long as what
 * was measured. So a thousandth of the wait is left.
 *
 * ## Which waits
 *
 * Hooks of other threads lengthen what ends by another thread: locks, conditions, joins, and pipes
 * between threads. With offcpu=1, waits of which that is known to be false (a sleep, a page fault, a
 * file on a disk; wait_calls_*.def) stay exact. Without it no wait is known to be a sleep, and all
 * have the bar. In a process with one thread, all waits stay exact.
 *
 * A zone's contexts in a thread share the doubt of their waits in proportion. So the bar of a
 * function holds, that of a context is an average, and that of several functions may be too wide.
 *
 * What the bar does not have:
 *
 *     - hooks of other processes, for which a read from a pipe, or wait4(2), may wait;
 *     - waits that a thread's own hooks hide, because it comes late to them: at most H(own);
 *     - in a single frame or call (zprof frames), hooks of threads that are not in it.
 */
#ifndef REPORT_LENGTHENED_H
#define REPORT_LENGTHENED_H

#include <math.h>

#define LENGTHENED_WAKING_NS  1e6 /* a slice of a processor's time, as the kernel gives them */
#define LENGTHENED_LEAST_LEFT 0.001

/* What threads did. Each member is a sum, so threads can be added and taken off. */
struct lengthened_by {
	double hooks_ns;   /* CPU time of hooks */
	double program_ns; /* CPU time of the program without them, and its doubt */
	double doubt_ns;
	double stood_ns; /* ready to run, while others had the processor */
};

static inline void lengthened_add(struct lengthened_by *to, const struct lengthened_by *by)
{
	to->hooks_ns += by->hooks_ns;
	to->program_ns += by->program_ns;
	to->doubt_ns += by->doubt_ns;
	to->stood_ns += by->stood_ns;
}

static inline struct lengthened_by lengthened_others(const struct lengthened_by *all,
						     const struct lengthened_by *own)
{
	return (struct lengthened_by){.hooks_ns = all->hooks_ns - own->hooks_ns,
				      .program_ns = all->program_ns - own->program_ns,
				      .doubt_ns = all->doubt_ns - own->doubt_ns,
				      .stood_ns = all->stood_ns - own->stood_ns};
}

/* The most that OTHERS may have added to WAITS waits of a thread in one zone, of WAIT_NS in sum. */
static inline double lengthened_ns(double wait_ns, double waits, const struct lengthened_by *others)
{
	double hooks = fmax(others->hooks_ns, 0), program = fmax(others->program_ns, 0);
	double ran = hooks + program;
	if (ran <= 0)
		return 0;
	double share = (hooks + fmin(fmax(others->doubt_ns, 0), program)) / ran;
	double added = share * (ran + fmax(others->stood_ns, 0));
	double waking = share * fmin(wait_ns, waits * LENGTHENED_WAKING_NS);
	return fmin(added + waking, (1 - LENGTHENED_LEAST_LEFT) * wait_ns);
}

#endif
