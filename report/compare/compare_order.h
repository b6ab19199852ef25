/* SPDX-License-Identifier: MIT */
/* compare_order.h - which rows of a comparison are shown, and in which order. */
#ifndef REPORT_COMPARE_ORDER_H
#define REPORT_COMPARE_ORDER_H

#include "report/compare/compare.h"

/*
 * The rows of a table that the filters select, in order: by change, the largest first; in a series
 * of more than two sides by what the last side has; or as --sort says. The measure is the one that
 * --sort names, else --measure's, else self. ONLY leaves out rows without a change. free() the
 * list.
 */
size_t *compare_order(const struct compare *c, const struct compare_table *t, bool only,
		      size_t *count);

#endif
