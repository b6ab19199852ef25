/* SPDX-License-Identifier: MIT */
/*
 * counter_columns.h - two table columns for each counter that an interpreter lent: counts in a zone
 * itself, and counts in what it called.
 *
 * A view's columns are constant, with empty ones for counters. This copies them, and puts the names
 * of counters into the heads of the empty ones. Those without a counter are hidden.
 */
#ifndef REPORT_COUNTER_COLUMNS_H
#define REPORT_COUNTER_COLUMNS_H

#include "report/base/table.h"
#include "report/view/view.h"

#define COUNTER_COLUMNS (2 * COST_COUNTERS)
#define COUNTER_HEAD    20 /* letters of a counter's name in its column's head */

struct counter_columns {
	struct table_column columns[TABLE_COLUMNS];
	char heads[COUNTER_COLUMNS][4 * COUNTER_HEAD + 1];
	int first;
	size_t count; /* of counters */
};

/*
 * Copies COUNT COLUMNS, of which COUNTER_COLUMNS from FIRST on are empty. SECOND ("total",
 * "children") heads the second column of each counter. The result must not move.
 */
void counter_columns_init(struct counter_columns *c, const struct table_column *columns, int count,
			  int first, const char *second, const struct view *v);

/* Sets the cells of the last row. With CHILDREN the second cell is total less self; without TOTAL
 * it is empty. */
void counter_columns_cells(const struct counter_columns *c, struct table *t,
			   const struct cost *self, const struct cost *total, bool children);

#endif
