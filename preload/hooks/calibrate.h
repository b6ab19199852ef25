/* SPDX-License-Identifier: MIT */
/*
 * calibrate.h - the cost of our own hooks, measured in this process.
 *
 * A pair of hooks reads the clock twice. The time between the two readings is measured inside the
 * callee; the rest, before the first and after the second, falls on the caller:
 *
 *     caller .. | call hook .. [clock] .. ret | body | call hook .. [clock] .. ret | .. caller
 *     charged to: caller          |<----------- callee ------------->|       caller
 *
 * So both shares are needed to take the cost off in reports. The shares are found by running the
 * hot path on a tree of its own, in a function that is called many times with the hooks and without
 * them.
 *
 * ## Why no subtraction is exact
 *
 * A processor does not wait for the hooks: it runs the code before and after them at the same time.
 * A function that does nothing pays for them in full, and one that does a little hides its work in
 * their shadow: on one machine a pair took 50 ticks around nothing, and still 50 around 25 ticks of
 * work. Which of the two a function was does not show in the measured time. So functions of several
 * lengths are tried. The cost is the middle of their results, and the rest is the error bar. The
 * error bar is nine tenths of the cost at least, because real programs (Lua, zlib) paid between 0.6
 * and 1.0 of the price around nothing, and functions of known length less, or more (make
 * bench-truth).
 *
 * The cost is measured at start, and again now and then where something slow is done anyway,
 * because a processor changes its speed.
 */
#ifndef ZPROF_CALIBRATE_H
#define ZPROF_CALIBRATE_H

#include <stdbool.h>
#include <stdint.h>

struct process;

/* The cost of one pair of hooks, in thousandths of a tick, as in the profile's header. */
struct cost {
	uint32_t callee_milliticks, caller_milliticks, error_milliticks;
	uint32_t count_milliticks; /* of a pair under clock=count */
	/* of an entry alone (entry_price.h), and the part of it in the program's code */
	uint32_t entry_milliticks, entry_call_milliticks;
	uint32_t calibrations; /* the numbers are the mean of so many */
	uint64_t calibrated;   /* clock reading of the latest calibration */
	bool calibrating;      /* a thread is doing it; a second one returns without doing it */
};

/*
 * Fills in p->cost and the header's copy; zeros where the cost cannot be measured, and under the
 * fake clock.
 */
void calibrate(struct process *p);

/* In a forked child: takes over the cost that the parent had found. */
void calibrate_inherit(struct process *p, const struct process *from);

/* process_calibrate_again() (process.h) leads to calibrate.c, too. */

#endif
