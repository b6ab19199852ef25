/* SPDX-License-Identifier: MIT */
/* compare_order.h - which rows of a comparison are shown, and in which order. */
#ifndef REPORT_COMPARE_ORDER_H
#define REPORT_COMPARE_ORDER_H

#include "report/compare/compare.h"

/*
 * Lists the rows of a table that the filters select. The order is by change, the largest first;
 * with more than two sides by the value on the last side; or as --sort says. The measure is the one
 * that --sort names, else --measure's, else self. ONLY leaves out rows without a change. free() the
 * list.
 */
size_t *compare_order(const struct compare *c, const struct compare_table *t, bool only,
		      size_t *count);

#endif
