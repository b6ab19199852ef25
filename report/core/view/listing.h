/* SPDX-License-Identifier: MIT */
/*
 * listing.h - which functions a view shows, in which order, and the number in brackets of each.
 *
 * An interpreter that counts the cycles of a processor has a better measure than the host's clock:
 * exact, the same in every run, and known of zones that take some nanoseconds. So where all
 * selected functions are lent and have cycles, cycles *lead*: they come first, give the order and
 * the percentages, and times stand beside them.
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

/*
 * Keeps what matters of a long list that no option selected from: the functions that make up
 * LISTING_SHARE of the time in themselves (or of cycles, or calls), at most LISTING_MOST. Gives how
 * many it leaves out.
 */
#define LISTING_SHARE 0.95
#define LISTING_MOST  40
size_t listing_shorten(struct listing *l, const struct view *v, const struct derived *d);

/* Below such a list: how many more there are; nothing if LEFT_OUT is 0. */
void listing_print_more(const struct view *v, size_t left_out);

#endif
