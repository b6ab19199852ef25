/* SPDX-License-Identifier: MIT */
/*
 * page_times.h - the times that a reader of the page may switch to: on a processor, waiting, and
 * all that passed.
 *
 * The page's own arrays hold one measure (core/times/measure.h), the one that the command shows.
 * Waits are in few contexts, so each other measure is only a list of the numbers that differ: from
 * zero (waits), or from the page's own (processor time and all that passed).
 */
#ifndef REPORT_PAGE_TIMES_H
#define REPORT_PAGE_TIMES_H

#include <stdio.h>

#include "report/core/view/listing.h"

struct page {
	FILE *to;
	struct view *v;
	const struct derived *d;
	const struct listing *l;
};

/* Writes a time to a tenth of a nanosecond, with a comma before it. */
void page_ns(const struct page *p, double ns);

/* Writes the two costs of a side of an arc in a measure, each with a comma before it: self, its bar,
 * total, its bar, and the bar of what is left of the total without the self time. */
void page_side(const struct page *p, enum time_measure m, const struct cost *self,
	       const struct cost *total);

/* Writes `,"times":{NAME:{...},...}`, the other measures that all profiles know, of the functions and
 * arcs of D; and of the contexts if WHOLE. Nothing if no other measure is known. */
void page_times(const struct page *p, const struct derived *d, bool whole);

#endif
