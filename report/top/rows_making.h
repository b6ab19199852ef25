/* SPDX-License-Identifier: MIT */
/*
 * rows_making.h - what the files share that make rows: rows.c functions and the call graph,
 * rows_tree.c what is opened row by row, rows_source.c the source.
 */
#ifndef REPORT_ROWS_MAKING_H
#define REPORT_ROWS_MAKING_H

#include "report/top/top.h"

struct making {
	struct top *t;
	struct view *v;
	const struct derived *d;
	double counts_by; /* calls and counters of the tree are divided by it (CONTEXTS_COUNTS) */
};

/* Adds a row, valid until the next; NAME is copied. */
struct top_row *rows_add(struct making *m, enum top_kind kind, uint32_t item, uint64_t key,
			 const char *name);

/* Sets the numbers of a row. */
void rows_set(const struct making *m, struct top_row *r, uint64_t calls, const struct cost *self,
	      const struct cost *total);

/* The key of a zone; its trend. */
uint64_t rows_zone_key(const struct making *m, uint32_t zone);
double rows_trend(const struct top *t, const struct zones *zones, uint32_t zone);

/* One flag per function: whether the filters show it. free() it. */
bool *rows_select(const struct making *m);

/* Sorts the rows from FIRST on; takes off those beyond the limit that the user asked for. */
void rows_sort(struct top *t, size_t first);
void rows_limit(struct top *t);

/* Add the rows of a view. */
void rows_contexts(struct making *m);
void rows_callers(struct making *m);
void rows_source(struct making *m);

#endif
