/* SPDX-License-Identifier: MIT */
/*
 * statements.h - how often each line of the source ran, from counters of basic blocks.
 *
 * The recorder counts blocks of code (preload/counts/counts.h). A block's statements all run as
 * often as the block, and the line table says which lines its code belongs to:
 *
 *     address   counter                  line table
 *     1000                               fib.c:4   int fib(int x)     before the first counter: as that
 *     1011      57291                    fib.c:6   if (x == 0
 *     101c      46344                    fib.c:6          || x == 1)
 *     1027      28656                    fib.c:7           return x;
 *
 * The rule for a line with code in several blocks: the block that ran most often counts. So the
 * line of a loop has the count of its condition, and a line with both branches of an `if` that of
 * the test. Where one line is in several functions (a template, a function in a header), theirs are
 * added up. Columns are told apart in the same way. A line has no count if none of its blocks with
 * a counter ran, and it also has code that has no counter and that other blocks jump to: at -O0 a
 * lone `break` behind an `if`. block_lines.h says which lines a block has code of.
 */
#ifndef REPORT_STATEMENTS_H
#define REPORT_STATEMENTS_H

#include "report/statements/block_counts.h"
#include "report/core/pattern/pattern.h"
#include "report/core/source/places.h"

/* A column of a line; of the line itself, column is 0 and comes first. */
struct statement {
	uint32_t file, line, column; /* file: number in struct places */
	uint64_t count;
};

struct statement_function {
	const char *name;
	uint32_t file, line, end; /* the first and the last line it has code in */
	uint64_t count;           /* summed over its lines */
};

struct statements {
	struct statement *list; /* by file, line and column */
	size_t count, room;
	struct statement_function *functions; /* by file and line */
	size_t function_count, function_room;
	uint64_t total; /* over lines */
};

/* FUNC and FILE select functions; without patterns all are. */
void statements_make(struct statements *s, const struct block_counts *blocks,
		     const struct zones *zones, struct places *places, const struct patterns *func,
		     const struct patterns *file, const struct patterns *module);
void statements_free(struct statements *s);

#endif
