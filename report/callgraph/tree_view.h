/* SPDX-License-Identifier: MIT */
/* tree_view.h - the context tree itself: one row per context, indented below its caller. */
#ifndef REPORT_TREE_VIEW_H
#define REPORT_TREE_VIEW_H

#include "report/core/view/listing.h"

/* Prints the tree. --min prunes by a context's own share; other selections keep the rows that lead
 * to a selected row. */
void tree_view_print(struct view *v, const struct derived *d, const struct listing *l);

/* Prints the JSON member "contexts". */
void tree_view_json(struct view *v, const struct derived *d, const struct listing *l);

#endif
