/* SPDX-License-Identifier: MIT */
/*
 * widths.h - how wide the columns of a live view are, and which are left out where it is narrow. The
 * name takes what the others leave; where there is more than it needs, its place stands behind it.
 */
#ifndef REPORT_WIDTHS_H
#define REPORT_WIDTHS_H

#include "report/top/cells.h"

#define WIDTHS_NAME 16 /* the least width of a name where other columns can be dropped */

/* Sets WIDTHS, by column: 0 for a column that is left out. TOP_NAME has a width only if a place
 * stands behind it. WIDTH: of all columns; 0: any. */
void widths_choose(const struct top *t, int width, int *widths);

/* The sum of the columns left of the name. */
int widths_sum(const int *widths);

/* The place of a row's function, as its column has it. */
void widths_place(const struct top *t, const struct top_row *r, struct str *place);

#endif
