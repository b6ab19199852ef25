/* SPDX-License-Identifier: MIT */
/*
 * left_alone.h - functions that were left alone (struct zprof_refused): how many there are, and how much
 * of the time samples found in them. Nobody counts their calls, and their time is in their callers' self
 * times, so no row of a report shows it.
 *
 * A sample's address tells (struct zprof_inside). Its time in the kernel counts too: the function is
 * where the program goes on. Time that no address stands for is divided in the proportions of the
 * context's other samples, as by --below (tree_sampled_weight()). Where addresses gave way to others,
 * the ones that are left are no fair choice, and a context with few samples has no proportions. Then the
 * share is that of the samples in these functions alone, and the text says `at least`.
 */
#ifndef REPORT_LEFT_ALONE_H
#define REPORT_LEFT_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/str.h"

struct load;

struct left_alone {
	uint64_t functions;
	double ns,
	    of_ns; /* CPU time of samples in them, and in all; of_ns is 0 if no place is known */
	bool at_least; /* more of the time may be in them */
};

/* Looks at the whole of L, before below_divide() takes samples away. */
struct left_alone left_alone_find(const struct load *l);

/* A sentence for people; "" if no function was left alone. */
void left_alone_text(const struct left_alone *a, struct str *text);

#endif
