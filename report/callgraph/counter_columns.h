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

#include "report/core/base/table.h"
#include "report/core/view/view.h"

#define COUNTER_COLUMNS (2 * COST_COUNTERS)
#define COUNTER_LEAD    2 /* columns of the counter that leads */
#define COUNTER_LEAD_COLUMN                                                                        \
	{                                                                                          \
		.head = "", .optional = true                                                       \
	}
#define COUNTER_HEAD      20 /* letters of a counter's name in its column's head */
#define COUNTER_HEAD_ROOM (4 * COUNTER_HEAD + 1)

struct counter_columns {
	struct table_column columns[TABLE_COLUMNS];
	char heads[COUNTER_COLUMNS][COUNTER_HEAD_ROOM];
	char percent_head[COUNTER_HEAD_ROOM + 2];
	int percent, first;
	int lead, lead_first; /* the counter that leads, and its columns; lead -1: none does */
	size_t count;         /* of counters */
};

/* The beginning of a counter's name, in whole characters that are safe to show. */
void counter_columns_head(char head[COUNTER_HEAD_ROOM], const char *name);

/*
 * Copies COUNT COLUMNS, of which COUNTER_COLUMNS from FIRST on are empty, and PERCENT is the share
 * of the whole. SECOND ("total", "children") heads the second column of each counter. The result
 * must not move.
 */
void counter_columns_init(struct counter_columns *c, const struct table_column *columns, int count,
			  int percent, int first, const char *second, const struct view *v);

/* Puts counter LEAD, unless that is LISTING_NO_LEAD, into COUNTER_LEAD columns from FIRST on;
 * percentages are of it. Before any row. */
void counter_columns_lead(struct counter_columns *c, int lead, int first);

struct counter_share {
	const struct cost *cost;
	uint64_t calls;
	double bar_ns; /* of the time that the view shows of the cost */
};

/* Sets the cell of percentages: of the counter that leads, else of calls where nothing else was
 * recorded, else of times. */
void counter_columns_percent(const struct counter_columns *c, struct table *t, const struct view *v,
			     const struct counter_share *part, const struct counter_share *whole);

/* Sets the cells of the last row. With CHILDREN the second cell is total less self; without TOTAL
 * it is empty. */
void counter_columns_cells(const struct counter_columns *c, struct table *t,
			   const struct cost *self, const struct cost *total, bool children);

#endif
