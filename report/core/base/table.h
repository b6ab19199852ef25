/* SPDX-License-Identifier: MIT */
/*
 * table.h - the one table printer: it collects rows, makes each column as wide as its widest cell,
 * and prints.
 *
 * The view describes the columns, so a new measure is just one more column. The last column is text
 * of any width; on a terminal it is cut when a line does not fit. A column of names may say how its
 * cells are shortened before they are cut, and keeps two names apart that have one short form.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/core/base/str.h"
#include "report/core/base/terminal.h"

#define TABLE_COLUMNS 32
#define TABLE_ALIGN   48

/*
 * Puts a form of NAME that is at most ROOM columns wide into SHORTER, if there is a good one; any
 * other is cut by the table. OTHER, unless NULL, is a name whose form is the same: tell them apart.
 */
typedef void table_shorten(struct str *shorter, const char *name, const char *other, int room);

/*
 * A column without a head and a key belongs to the one to its right. Columns of one head, such as
 * `+-`, each belong to a column to their left.
 */
struct table_column {
	const char *head;
	const char *key; /* name for table_choose(), of a column without a head; NULL: none */
	bool right;      /* cells are right-aligned: numbers */
	bool head_right; /* only the head is right-aligned */
	int gap;         /* spaces before it */
	int least;       /* its smallest width */
	bool optional;   /* hidden if all its cells are empty */
	int drop;        /* above 0: hidden on a terminal too narrow for names; the highest first */
	/* Shrinks to fit a terminal; elsewhere, cells wider than TABLE_ALIGN do not widen it. */
	bool elastic;
	table_shorten *shorten; /* NULL: cells are cut at the end */
};

enum table_style { TABLE_PLAIN, TABLE_STRONG, TABLE_FAINT };

struct table_row {
	uint32_t cells[TABLE_COLUMNS]; /* offsets into text; 0: empty */
	unsigned char style;           /* enum table_style */
	bool rule;                     /* a line of dashes in place of cells */
};

struct table {
	const struct table_column *columns;
	int column_count;
	struct table_row *rows;
	size_t row_count, row_room;
	int widths[TABLE_COLUMNS]; /* of the widest cell, or the head */
	int order[TABLE_COLUMNS];  /* columns that are printed, from left to right */
	int order_count;
	bool chosen; /* by the user: no column is hidden to make room for names */
	struct str text;
};

/* COLUMNS must live as long as the table. */
void table_init(struct table *t, const struct table_column *columns, int column_count);
void table_free(struct table *t);

/*
 * Prints the columns that LIST names, `self,+-,name`, in its order: by head, by key, or `%` for
 * that of percentages. A head that several columns have means the first one right of the column
 * named before. False with a message if there is no such column.
 */
bool table_choose(struct table *t, const char *list, struct str *err);

void table_row(struct table *t, enum table_style style);
void table_rule(struct table *t);

/* Sets a cell of the last row. */
void table_cell(struct table *t, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a cell that is the last of its row: it does not widen its column. */
void table_tail(struct table *t, int column, const char *text);

/* Prints heads and rows. */
void table_print(const struct table *t, const struct terminal *terminal);

#endif
