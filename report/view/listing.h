/* SPDX-License-Identifier: MIT */
/* listing.h - which functions a view shows, in which order, and the number in brackets of each. */
#ifndef REPORT_LISTING_H
#define REPORT_LISTING_H

#include "report/view/view.h"

struct listing {
	/* By zone number: 1 for the largest total, 0 for a zone not in use. Selecting rows does not
	 * change it. */
	uint32_t *index;
	uint32_t *shown; /* zone numbers of the rows, in order */
	size_t shown_count;
	bool *is_shown; /* by zone number */
};

/* SORT is the order if --sort is not given. */
void listing_make(struct listing *l, const struct view *v, const struct derived *d,
		  enum filter_sort sort);
void listing_free(struct listing *l);

#endif
