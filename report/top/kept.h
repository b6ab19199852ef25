/* SPDX-License-Identifier: MIT */
/*
 * kept.h - the tree that rows are made from, and what is derived from it.
 *
 *     tree --> derived: functions and arcs        when rows are made
 *          --> children, totals: contexts         when contexts are looked at
 *          --> callers: chains of callers         when these are looked at
 *          --> lines: of the source               when the source is looked at
 *
 * The numbers of a running process change with each reading, so rows_make() keeps nothing.
 * A finished profile may have 78,000 contexts, and a key must not take longer than a blink. So each
 * part is made when it is first asked for, and kept until the tree itself changes: by another
 * thread, frame, or spread recursion. Rows that are hidden, and the order of rows, change nothing
 * here.
 */
#ifndef REPORT_KEPT_H
#define REPORT_KEPT_H

#include "report/annotate/lines.h"
#include "report/callgraph/callers.h"
#include "report/core/view/view.h"

struct kept {
	bool made;
	struct view *view; /* its tree is the one; recursion that is spread adds zones to it */
	size_t zones;      /* how many the view had before that */
	struct derived derived;
	bool has_contexts, has_callers, has_lines;
	struct tree_children children;
	struct cost *totals; /* by node */
	struct callers callers;
	struct lines lines;
	char *head;                /* that of a report; NULL: not made */
	struct source_text source; /* of the file whose number is source_file */
	uint32_t source_file;
};

/* Makes V's tree of FROM, under the filters F, and derives functions and arcs; unless that is kept. */
void kept_make(struct kept *k, struct view *v, struct tree *from, const struct filters *f);

/* The children and totals of contexts; the chains of callers; the lines of the source. */
void kept_contexts(struct kept *k);
struct callers *kept_callers(struct kept *k);
const struct lines *kept_lines(struct kept *k);

/* The text of the source file with number FILE among the view's places, until another is asked for. */
const struct source_text *kept_source(struct kept *k, uint32_t file);

/* The head of a report of the view; line number LINE of it, NULL beyond the last: free() it. */
const char *kept_head(struct kept *k);
char *kept_head_line(struct kept *k, size_t line);

/* Frees all that is kept: the next kept_make() begins anew. */
void kept_forget(struct kept *k);

#endif
