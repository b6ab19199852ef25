/* SPDX-License-Identifier: MIT */
/*
 * callers.h - the caller tree: which chains of callers make a function expensive.
 *
 * The context tree is read from the program's beginning: who was called. The caller tree is read
 * from a function outwards: who called it, and on whose behalf that one was called.
 *
 *     contexts                              chains of `work`
 *     main -> ai      -> work  30 ms        work               50 ms
 *     main -> physics -> work  15 ms          ai               30 ms
 *     main -> work              5 ms            main           30 ms
 *                                             physics          15 ms
 *                                               main           15 ms
 *                                             main              5 ms
 *
 * A row is a chain of callers. All its numbers are those of the function that the chain begins with,
 * in the contexts whose paths end with the chain: never those of the callers. So the rows directly
 * below a row sum up to it, in calls, self time and total, to the tick; a chain that goes no further
 * has a row for "from outside". A context within a call of the same function adds nothing to the
 * total, because the outer call's total has it already.
 *
 * There are as many rows as contexts have callers, which for a deep program is thirty times as many
 * as contexts. So a row's callers are made when somebody opens the row. Each row keeps the list of
 * its contexts, and opening divides that list by the next caller.
 */
#ifndef REPORT_CALLERS_H
#define REPORT_CALLERS_H

#include <stdbool.h>

#include "report/core/tree/tree.h"

#define CALLERS_OUTSIDE UINT32_MAX /* as a zone: the chain was called from outside of all zones */

/* A context of a chain. */
struct callers_context {
	uint32_t node; /* of the function that the chain begins with */
	uint32_t at;   /* the node on its path that the chain has reached */
};

struct callers_row {
	uint32_t
	    zone; /* where the chain ends: the function itself, or a caller. 0: the overflow table */
	uint32_t depth; /* 0: the function itself */
	uint32_t above; /* the row without the last caller; of depth 0: this row */
	uint64_t calls;
	struct cost self, total;
	bool low; /* the total may be more */
	uint32_t first,
	    next; /* rows: the first caller, once opened; the next of the same row above */
	bool opened;
	size_t contexts, context_count; /* into the contexts of struct callers */
};

struct callers {
	const struct tree *tree;
	struct cost *totals; /* of each node; 0 if an outer call of the zone has it already */
	bool *low;           /* by node */
	struct callers_row *rows;
	size_t row_count, row_room;
	struct callers_context *contexts;
	size_t context_count, context_room;
	uint32_t *roots; /* by zone: its row; TREE_NONE: the zone was not entered */
	size_t zone_count;
};

/* ZONE_COUNT: zones are numbered below it. T must outlive C. */
void callers_init(struct callers *c, const struct tree *t, size_t zone_count);
void callers_free(struct callers *c);

/* Makes the rows of the callers of ROW, unless they are there: from rows[ROW].first on, by `next`
 * up to TREE_NONE, in the order of zones. Rows may move. */
void callers_open(struct callers *c, uint32_t row);

/* Sorts the callers of an open row: A comes first if ORDER(A, B, CONTEXT) is below 0. */
void callers_sort(struct callers *c, uint32_t row,
		  int (*order)(const struct callers_row *a, const struct callers_row *b,
			       const void *context),
		  const void *context);

#endif
