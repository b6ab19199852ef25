/* SPDX-License-Identifier: MIT */
/*
 * tree_rows.h - rows that are indented: contexts below their caller (tree_view.h), or callers below
 * the function that they call (callers_view.h). Both have the same columns and members of JSON.
 */
#ifndef REPORT_TREE_ROWS_H
#define REPORT_TREE_ROWS_H

#include "report/callgraph/counter_columns.h"
#include "report/core/view/listing.h"

struct tree_row {
	uint32_t depth;   /* 1: outermost */
	const char *name; /* as it is printed */
	const struct cost *self, *total;
	uint64_t calls;
	uint64_t all_calls; /* with those in rows below that belong to this one; for percentages */
	bool by_self;       /* percentages are of self times, not of totals */
	bool low;           /* the total may be more */
	bool uncounted;     /* calls are not known (view_is_sampled()) */
};

struct tree_rows {
	struct view *v;
	const struct derived *d;
	struct table table;
	struct counter_columns counters;
};

/* How many columns the table has, for --format. */
int tree_rows_columns(const struct view *v, struct counter_columns *c);

void tree_rows_begin(struct tree_rows *r, struct view *v, const struct derived *d,
		     const struct listing *l);
void tree_rows_add(struct tree_rows *r, const struct tree_row *row);
void tree_rows_print(struct tree_rows *r); /* and frees them */

/* The members that both trees have. PARENT is a number, or null. */
json_t *tree_rows_json(const struct view *v, const struct listing *l, const struct tree_row *row,
		       uint32_t id, json_t *parent, uint32_t zone);

#endif
