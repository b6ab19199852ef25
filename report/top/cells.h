/* SPDX-License-Identifier: MIT */
/* cells.h - the columns of the live view and of `zprof view`: their heads, and the text of each cell. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/core/base/units.h"
#include "report/top/top.h"

#define CELLS_ROOM  (4 * UNITS_TEXT)
#define CELLS_DROPS 10 /* the highest result of cells_drop() */

struct cells_column {
	const char *rate, *sum; /* heads */
	int least;              /* width */
	int drop;               /* see cells_drop() */
};

const struct cells_column *cells_column(const struct top *t, enum top_column column);

/* 0: the column is always shown. Where it is narrow, the others go, the highest first. What a view is
 * sorted by stays longest: self times, or totals. Of counters the last goes first, and the one that the
 * rows are sorted by stays. */
int cells_drop(const struct top *t, enum top_column column);

/* The columns of the view, from the left, up to TOP_NAME. A place stands behind the name. */
const enum top_column *cells_order(const struct top *t);

/* The head of a column; "": the view has no such column. A counter's head is its name. */
const char *cells_head(const struct top *t, enum top_column column);

/* The text of row R's cell in a column other than TOP_NAME; "" for an empty cell. */
const char *cells_text(const struct top *t, const struct top_row *r, enum top_column column,
		       char text[CELLS_ROOM]);

/* A number of calls, or of other counted things. A small average is shown with one decimal. */
const char *cells_count(char text[CELLS_ROOM], double n, bool rate);

/* A row whose trend is farther from 0 than this gets an arrow. */
#define CELLS_TREND 0.5

#endif
