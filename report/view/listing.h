/* SPDX-License-Identifier: MIT */
/* listing.h - which functions a view shows, in which order, and the number in brackets each one is
 * known by. */
#ifndef REPORT_LISTING_H
#define REPORT_LISTING_H

#include "report/view/view.h"

struct listing {
	uint32_t *index; /* by zone number: 1 for the largest total, 0 for what is not in use.
			    Selection changes nothing */
	uint32_t *shown; /* zone numbers of the rows, in order */
	size_t shown_count;
	bool *is_shown; /* by zone number */
};

/* SORT: used where --sort was not given. */
void listing_make(struct listing *l, const struct view *v, const struct derived *d,
		  enum filter_sort sort);
void listing_free(struct listing *l);

#endif
