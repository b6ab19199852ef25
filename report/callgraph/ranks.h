/* SPDX-License-Identifier: MIT */
/*
 * ranks.h - the ranks of a parallel job beside each other: for each function the least, mean and
 * largest time of a rank, and which rank that is. A rank in which it did not run counts as zero.
 */
#ifndef REPORT_RANKS_H
#define REPORT_RANKS_H

#include "report/core/view/counter_columns.h"
#include "report/core/view/view.h"

/* Of the view's tree, as struct parts_of wants it. */
void ranks_print(struct view *v, const struct derived *d);
void ranks_json(struct view *v, const struct derived *d);
int ranks_columns(const struct view *v, struct counter_columns *c);

#endif
