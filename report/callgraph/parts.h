/* SPDX-License-Identifier: MIT */
/*
 * parts.h - a view of the whole, or of each thread or process on its own (--by-thread,
 * --by-process).
 *
 * A command says how it shows one tree; parts_show() puts the head above, the losses below, and a
 * heading above each part. While a part is shown the view's tree is that part.
 */
#ifndef REPORT_PARTS_H
#define REPORT_PARTS_H

#include "report/callgraph/counter_columns.h"
#include "report/core/view/view.h"

/* How a command shows the view's tree; D is derived from it. */
struct parts_of {
	void (*text)(struct view *v, const struct derived *d);
	void (*json)(struct view *v, const struct derived *d); /* members, each behind a comma */
	/* How many columns its table has, for --format; NULL: it has no table. */
	int (*columns)(const struct view *v, struct counter_columns *c);
};

/* A table of the view, with the columns of --format. */
void parts_table(struct table *t, const struct view *v, const struct table_column *columns,
		 int count);

void parts_show(struct view *v, const struct parts_of *how);

#endif
