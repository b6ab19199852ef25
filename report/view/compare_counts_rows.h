/* SPDX-License-Identifier: MIT */
/* compare_counts_rows.h - what compare_counts.c finds out and compare_counts_print.c shows. */
#ifndef REPORT_COMPARE_COUNTS_ROWS_H
#define REPORT_COMPARE_COUNTS_ROWS_H

#include "report/model/source_text.h"
#include "report/model/statements.h"
#include "report/view/view.h"

struct counts_line {
	uint32_t file, line; /* file: number in a side's struct places; line 0: none */
};

/* Lines of functions, one after another. */
struct counts_texts {
	const char **texts;
	struct counts_line *places;
	size_t count, text_room, place_room;
};

struct counts_side {
	struct load *load;
	const struct options *options;
	struct statements s;
	double runs;               /* counts are divided by it */
	struct source_text *texts; /* by file; NULL: no file was asked for */
	bool *asked;
};

/* The text of a file, read when it is asked for the first time. */
const struct source_text *counts_side_text(struct counts_side *side, uint32_t file);

/* A line of either side or of both. What belongs to it by column follows in the side's list. */
struct counts_row {
	const struct statement *before, *after; /* NULL: the side has no code of that line */
	struct counts_line at;                  /* where it is shown, in the source of `after` */
};

struct counts_rows {
	struct counts_row *list; /* by place */
	size_t count, room;
};

/* Prints text, or JSON. */
void counts_rows_show(struct view *v, struct counts_side *before, struct counts_side *after,
		      const struct counts_rows *rows);

#endif
