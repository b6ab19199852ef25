/* SPDX-License-Identifier: MIT */
/* cells.h - the columns of a live view: their heads, and what a row has in them. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include "report/core/base/units.h"
#include "report/top/top.h"

#define CELLS_ROOM (4 * UNITS_TEXT)

struct cells_column {
	const char *rate, *sum; /* heads */
	int least;              /* width */
	int drop;               /* above 0: left out where it is narrow; the highest first */
};

extern const struct cells_column cells_columns[TOP_COLUMNS];

/* The head of a column: the name of a counter for TOP_COUNTER. */
const char *cells_head(const struct top *t, enum top_column column);

/* What row R has in a column other than TOP_NAME; "" for nothing. */
const char *cells_text(const struct top *t, const struct top_row *r, enum top_column column,
		       char text[CELLS_ROOM]);

/* A number of calls, or of anything counted: with a decimal if it is a small average. */
const char *cells_count(char text[CELLS_ROOM], double n, bool rate);

/* Whether a trend is worth showing. */
#define CELLS_TREND 0.5

#endif
