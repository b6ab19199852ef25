/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - the contexts of a running process, with what they do now, on average, and in all.
 *
 * Each reading brings two trees: what was counted since the reading before, and what was counted in
 * all (since the start, or since counters were set back). Both are put onto one tree that only
 * grows, so a context keeps its number.
 *
 *     MEASURE_NOW     a second's worth of the last reading
 *     MEASURE_SHORT   moving average with a time constant of 2 s
 *     MEASURE_LONG    moving average with a time constant of 15 s
 *     MEASURE_ALL     everything
 *     MEASURE_FRAME   one frame, while it is looked at
 *
 * A moving average weighs what lies t seconds back by e^(-t / constant). It is divided by the sum
 * of the weights, so it is right from the first reading on, and does not begin at zero.
 */
#ifndef REPORT_CONTEXTS_H
#define REPORT_CONTEXTS_H

#include "report/core/tree/tree.h"

enum measure { MEASURE_NOW, MEASURE_SHORT, MEASURE_LONG, MEASURE_ALL, MEASURE_FRAME, MEASURES };

#define CONTEXTS_SHORT_S 2.0
#define CONTEXTS_LONG_S  15.0

/*
 * In trees of the first three, calls are multiplied by this, so that an average of 0.4 calls a
 * second is not lost.
 */
#define CONTEXTS_CALLS 1000.0

struct context {
	double calls, ns, cpu_ns, wait_ns, preempted_ns, error_ns, all_error_ns, variance;
	double counter[COST_COUNTERS];
};

struct contexts {
	struct tree tree;             /* its nodes have the numbers of the measure shown last */
	struct context *of[MEASURES]; /* by node; those beyond `room` have counted nothing */
	size_t room[MEASURES];
	double weight[MEASURES]; /* sum of an average's weights; else 1 */
	/* Time constant of an average, in any unit; 0: as defined above. */
	double constant[MEASURES];
	uint32_t *to; /* node of the tree that is being added -> node here */
	size_t to_room;
};

/* FROM: what was counted in so many units: seconds, or turns of a loop. */
void contexts_add_interval(struct contexts *c, const struct tree *from, double units);

/* FROM: all that was counted; or one frame. */
void contexts_set_all(struct contexts *c, const struct tree *from);
void contexts_set_frame(struct contexts *c, const struct tree *from);

/* Gives the tree the numbers of MEASURE. */
void contexts_show(struct contexts *c, enum measure measure);

/* Averages begin anew. */
void contexts_forget_averages(struct contexts *c);

void contexts_free(struct contexts *c);

#endif
