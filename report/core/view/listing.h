/* SPDX-License-Identifier: MIT */
/*
 * listing.h - which functions a view shows, in which order, and the number in brackets of each.
 *
 * An interpreter that counts the cycles of a processor has a better measure than the host's clock:
 * exact, the same in every run, and known of zones that take some nanoseconds. So where all
 * selected functions are lent and have cycles, cycles *lead*: they come first, give the order and
 * the percentages, and times stand beside them.
 *
 * A reader goes down a column of numbers. So rows stand in the order of the number that is shown,
 * be it a time or an upper bound (view_bounded()): `<90 ms` stands between 91 ms and 40 ms. The
 * function that matters most may be the one with the largest bound.
 */
#ifndef REPORT_LISTING_H
#define REPORT_LISTING_H

#include "report/core/view/view.h"

struct listing {
	/* By zone number: 1 for the largest total, 0 for a zone not in use. Selecting rows does not
	 * change it. */
	uint32_t *index;
	uint32_t *shown; /* zone numbers of the rows, in order */
	size_t shown_count;
	bool *is_shown; /* by zone number */
	int lead;       /* the counter that leads; LISTING_NO_LEAD */
};

#define LISTING_NO_LEAD (-1)

/* The number of the counter "cycles"; LISTING_NO_LEAD if no interpreter counted them. */
int listing_cycles(const struct view *v);

/* SORT is the order if --sort is not given and no counter leads. */
void listing_make(struct listing *l, const struct view *v, const struct derived *d,
		  enum filter_sort sort);
void listing_free(struct listing *l);

#endif
