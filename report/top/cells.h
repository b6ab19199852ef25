/* SPDX-License-Identifier: MIT */
/* cells.h - the columns of the live view: their heads, and the text of each cell. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/core/base/units.h"
#include "report/top/top.h"

#define CELLS_ROOM (4 * UNITS_TEXT)

struct cells_column {
	const char *rate, *sum; /* heads */
	int least;              /* width */
	int drop;               /* 0: always shown; others go where it is narrow, highest first */
};

extern const struct cells_column cells_columns[TOP_COLUMNS];

/* The head of a column. TOP_COUNTER's head is the name of the interpreter's counter. */
const char *cells_head(const struct top *t, enum top_column column);

/* The text of row R's cell in a column other than TOP_NAME; "" for an empty cell. */
const char *cells_text(const struct top *t, const struct top_row *r, enum top_column column,
		       char text[CELLS_ROOM]);

/* A number of calls, or of other counted things. A small average is shown with one decimal. */
const char *cells_count(char text[CELLS_ROOM], double n, bool rate);

/* A row whose trend is farther from 0 than this gets an arrow. */
#define CELLS_TREND 0.5

#endif
