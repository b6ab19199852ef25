/* SPDX-License-Identifier: MIT */
/*
 * ranks.h - the ranks of a parallel job beside each other. For each function: the least, mean and
 * largest time of a rank, and which ranks have the least and largest. A rank in which the function
 * did not run counts as zero.
 */
#ifndef REPORT_RANKS_H
#define REPORT_RANKS_H

#include "report/callgraph/counter_columns.h"
#include "report/core/view/view.h"

/* Shows the view's tree by ranks; for struct parts_of. */
void ranks_print(struct view *v, const struct derived *d);
void ranks_json(struct view *v, const struct derived *d);
int ranks_columns(const struct view *v, struct counter_columns *c);

#endif
