/* SPDX-License-Identifier: MIT */
/*
 * statements.h - how often each line of the source ran, from counters of basic blocks.
 *
 * The library counts how often blocks of code run (preload/counts/counts.h). Each statement of a
 * block runs as often as the block. The line table says to which lines the block's code belongs:
 *
 *     address   counter                  line table
 *     1000                               fib.c:4   int fib(int x)     before the first counter: as that
 *     1011      57291                    fib.c:6   if (x == 0
 *     101c      46344                    fib.c:6          || x == 1)
 *     1027      28656                    fib.c:7           return x;
 *
 * If a line has code in several blocks, the block that ran most often counts. So the line of a loop
 * has the count of the loop's condition, and a line with both branches of an `if` has the count of
 * the test. If a line is in several functions (a template, a function in a header), their counts
 * are added up. The counts of a line's columns follow the same rules. A line has no count if none
 * of its blocks with a counter ran, and if it also has code without a counter to which other blocks
 * jump. At -O0, a lone `break` behind an `if` is such a line. block_lines.h says which lines a
 * block has code of.
 */
#ifndef REPORT_STATEMENTS_H
#define REPORT_STATEMENTS_H

#include "report/statements/block_counts.h"
#include "report/core/load/load.h"
#include "report/core/select/filters.h"

/* A column of a line. Column 0 is the line itself, and comes first. */
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
	uint64_t total; /* sum over lines */
};

/* Of functions that --func, --file and --module in F select. */
void statements_make(struct statements *s, struct load *l, const struct filters *f);
void statements_free(struct statements *s);

#endif
