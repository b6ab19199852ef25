/* SPDX-License-Identifier: MIT */
/*
 * counter_columns.h - two columns of a table for each counter that an interpreter lent: what went
 * up in a zone itself, and in what it called.
 *
 * A view's columns are a constant; this copies them and puts a counter's name into the head of a
 * column that the view keeps for it, and which is left out where there is no such counter.
 */
#ifndef REPORT_COUNTER_COLUMNS_H
#define REPORT_COUNTER_COLUMNS_H

#include "report/base/table.h"
#include "report/view/view.h"

#define COUNTER_COLUMNS (2 * COST_COUNTERS)
#define COUNTER_HEAD    20 /* letters of a counter's name that its column is headed by */

struct counter_columns {
	struct table_column columns[TABLE_COLUMNS];
	char heads[COUNTER_COLUMNS][4 * COUNTER_HEAD + 1];
	int first;
	size_t count; /* of counters */
};

/* COLUMNS, COUNT of them, with COUNTER_COLUMNS empty ones from FIRST on. SECOND follows the name in
 * the second head of each: "total", "children". The result must stay where it is. */
void counter_columns_init(struct counter_columns *c, const struct table_column *columns, int count,
			  int first, const char *second, const struct view *v);

/* Sets the cells of the last row; CHILDREN: the second is the total without the self. Without TOTAL
 * the second has none. */
void counter_columns_cells(const struct counter_columns *c, struct table *t,
			   const struct cost *self, const struct cost *total, bool children);

#endif
