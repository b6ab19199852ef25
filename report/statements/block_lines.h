/* SPDX-License-Identifier: MIT */
/*
 * block_lines.h - finds the lines of the source that each counted block has code of (statements.h).
 *
 * The lines come from the program's code and its line table, or from an archived profile (told.h).
 * Of a block, zprof knows only where its counter is. The compiler may put code into a block without
 * a counter (a jump for `break`, at -O0). Such code is taken for part of the block before it.
 */
#ifndef REPORT_BLOCK_LINES_H
#define REPORT_BLOCK_LINES_H

#include "report/core/names/facts.h"

struct block_line {
	const char *file; /* as the compiler saw it */
	uint32_t line, column;
	uint64_t block; /* where its call returns to, in the module's own terms */
	bool jumps;     /* not in the block: the block jumps there, or to what leads there */
};

struct block_function {
	uint32_t module; /* index into modules of struct zones */
	uint64_t start;
	struct fact_name name;
	const struct block_line *list; /* a block and column may be in it more than once */
	size_t count;
};

struct block_lines_to {
	/* Whether F, whose list is not known yet, is wanted. */
	bool (*wants)(void *context, const struct block_function *f);
	void (*take)(void *context, const struct block_function *f);
	void *context;
};

/* Calls TO for each function of a module that has counted blocks. */
void block_lines_each(const struct zones *zones, uint32_t module, const struct block_lines_to *to);

#endif
