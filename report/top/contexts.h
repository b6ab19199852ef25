/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - the contexts of a running process, with their calls and times now, on average, and
 * in all.
 *
 * Each reading of the profile brings two trees: one of the events since the reading before, and one
 * of all events (since the start, or since counters were set back). The nodes of both are added to
 * one tree that only grows, so a context keeps its number from reading to reading.
 *
 *     MEASURE_NOW     a second's worth of the last reading
 *     MEASURE_SHORT   moving average with a time constant of 2 s
 *     MEASURE_LONG    moving average with a time constant of 15 s
 *     MEASURE_ALL     everything
 *     MEASURE_FRAME   one frame, while it is looked at
 *
 * A moving average gives an event t seconds ago the weight e^(-t / constant). The sum is divided by
 * the sum of the weights, so the average is right from the first reading on, and does not begin at
 * zero.
 */
#ifndef REPORT_CONTEXTS_H
#define REPORT_CONTEXTS_H

#include "report/core/tree/tree.h"

enum measure { MEASURE_NOW, MEASURE_SHORT, MEASURE_LONG, MEASURE_ALL, MEASURE_FRAME, MEASURES };

#define CONTEXTS_SHORT_S 2.0
#define CONTEXTS_LONG_S  15.0

/* In the trees of the first three measures, calls and counters are multiplied by this factor. They
 * are integers in a node, and an average of 0.4 calls a second would be lost. */
#define CONTEXTS_COUNTS 1000.0

struct context {
	double calls, ns, cpu_ns, wait_ns, preempted_ns;
	double error_ns, all_error_ns, wait_error_ns, lengthened_ns, variance;
	double counter[COST_COUNTERS];
};

struct contexts {
	struct tree tree;             /* its nodes have the numbers of the measure shown last */
	struct context *of[MEASURES]; /* by node; nodes from `room` on have counted nothing */
	size_t room[MEASURES];
	double weight[MEASURES]; /* sum of an average's weights; else 1 */
	/* Time constant of an average, in any unit; 0: as defined above. */
	double constant[MEASURES];
	uint32_t *to; /* node of the tree that is being added -> node of `tree` */
	size_t to_room;
};

/* Adds FROM, the events of an interval, which was UNITS long: seconds, or turns of a main loop. */
void contexts_add_interval(struct contexts *c, const struct tree *from, double units);

/* Replaces MEASURE_ALL by FROM, all events; or MEASURE_FRAME by FROM, one frame. */
void contexts_set_all(struct contexts *c, const struct tree *from);
void contexts_set_frame(struct contexts *c, const struct tree *from);

/* Copies the numbers of MEASURE into the nodes of the tree. */
void contexts_show(struct contexts *c, enum measure measure);

/* Empties the moving averages; the next reading begins them anew. */
void contexts_forget_averages(struct contexts *c);

void contexts_free(struct contexts *c);

#endif
