/* SPDX-License-Identifier: MIT */
/* blocks.h - the call graph as text: one block per function, with its callers above its own line
 * and its callees below. */
#ifndef REPORT_BLOCKS_H
#define REPORT_BLOCKS_H

#include "report/callgraph/counter_columns.h"
#include "report/core/view/listing.h"

/* How many columns the table of blocks has, for --format. */
int blocks_columns(const struct view *v, struct counter_columns *c);

void blocks_print(struct view *v, const struct derived *d, const struct listing *l);

#endif
