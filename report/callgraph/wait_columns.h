/* SPDX-License-Identifier: MIT */
/*
 * wait_columns.h - table columns of --waits: a time split into on and off a processor, how often a
 * thread waited, and what others had of its processor.
 *
 * A view has two columns for each time that is split, right of it, and two for the counts. They are
 * empty, and so hidden, unless --waits is given.
 */
#ifndef REPORT_WAIT_COLUMNS_H
#define REPORT_WAIT_COLUMNS_H

#include "report/core/base/table.h"
#include "report/core/view/view.h"

enum { WAIT_ON, WAIT_OFF, WAIT_SPLIT }; /* columns of a split time, in this order */
enum { WAIT_COUNT, WAIT_PREEMPTED, WAIT_COUNTS };

#define WAIT_COLUMN(text, drops)                                                                   \
	{                                                                                          \
		.head = text, .right = true, .gap = 2, .least = 8, .optional = true, .drop = drops \
	}
/*
 * Initializers of a view's columns from FIRST on. A narrow terminal keeps 'waited' where
 * WAITED_DROPS is 0.
 */
#define WAIT_SPLIT_COLUMNS(first, waited_drops)                                                    \
	[(first) + WAIT_ON] = WAIT_COLUMN("on CPU", 8),                                            \
		   [(first) + WAIT_OFF] = WAIT_COLUMN("waited", waited_drops)
#define WAIT_COUNT_COLUMNS(first)                                                                  \
	[(first) + WAIT_COUNT] = WAIT_COLUMN("waits", 6),                                          \
		   [(first) + WAIT_PREEMPTED] = WAIT_COLUMN("preempted", 9)

/* Each sets cells of the last row, from column FIRST on. */
void wait_columns_split(struct table *t, int first, const struct view *v, const struct cost *c,
			bool total);
void wait_columns_counts(struct table *t, int first, const struct view *v, const struct cost *self);

#endif
