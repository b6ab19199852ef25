/* SPDX-License-Identifier: MIT */
/*
 * calibrate.h - what our own hooks cost, measured in the process at hand.
 *
 * A pair of hooks reads the clock twice. What passes between the two readings is measured inside
 * the callee; the rest, before the first and after the second, falls on the caller:
 *
 *     caller .. | call hook .. [clock] .. ret | body | call hook .. [clock] .. ret | .. caller
 *     charged to: caller          |<----------- callee ------------->|       caller
 *
 * So both shares are needed to take the cost off in reports. They are found by running the hot path
 * on a tree of its own around nothing, many times, and taking the fastest round: noise only ever
 * adds.
 */
#ifndef ZPROF_CALIBRATE_H
#define ZPROF_CALIBRATE_H

struct process;

/* Fills in p->cost; zeros where it cannot be measured, and under the fake clock. */
void calibrate(struct process *p);

#endif
