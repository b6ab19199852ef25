/* SPDX-License-Identifier: MIT */
/*
 * shorten.h - keeps what matters of a long list of functions that no option selected from.
 *
 * These are the functions that make up SHORTEN_SHARE of the time in themselves (or of cycles, or
 * calls), at most SHORTEN_MOST. Only functions whose time is known count here: a bound
 * (view_bounded()) says how little is known, and many bounds would leave no room for times. In
 * addition, functions are kept whose bound is above the smallest time that is kept, because each of
 * them may be larger than a row of the list; but at most SHORTEN_BOUNDS. The list stays in its
 * order.
 */
#ifndef REPORT_SHORTEN_H
#define REPORT_SHORTEN_H

#include "report/core/view/listing.h"

#define SHORTEN_SHARE  0.95
#define SHORTEN_MOST   40
#define SHORTEN_BOUNDS 10

struct shorten_cut {
	size_t left_out; /* functions that have no row */
	size_t bounds;   /* rows of functions that are kept for their bounds */
};

struct shorten_cut shorten_list(struct listing *l, const struct view *v, const struct derived *d);

/* Below such a list: how many functions it leaves out, and why some rows are bounds. */
void shorten_print_cut(const struct view *v, struct shorten_cut cut);

#endif
