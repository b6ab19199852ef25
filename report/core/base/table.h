/* SPDX-License-Identifier: MIT */
/*
 * table.h - the one table printer: it collects rows, makes each column as wide as its widest cell,
 * and prints.
 *
 * A view describes its columns, so a new measure is just one more column. The last column is text
 * of any width; on a terminal it is cut if a line does not fit. A column of names may say how a
 * name is shortened before it is cut, and how two names with one short form are told apart.
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
 * SHORTER becomes a form of NAME that is at most ROOM columns wide, if there is a good one;
 * otherwise the table cuts the name. OTHER, unless NULL, is another name with the same form. Then
 * SHORTER must show how NAME differs from OTHER.
 */
typedef void table_shorten(struct str *shorter, const char *name, const char *other, int room);

/* A column with neither head nor key belongs to the column right of it. If several columns have one
 * head or key, such as `+-`, each belongs to a column left of it. */
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
 * Prints only the columns in LIST, `self,+-,name`, in its order. A column is named by its head or
 * key, a column of percentages also by `%`. If several columns have one head, the first of them
 * right of the column named before is meant. False with a message if there is no such column.
 */
bool table_choose(struct table *t, const char *list, struct str *err);

void table_row(struct table *t, enum table_style style);
void table_rule(struct table *t);

/* Sets a cell of the last row. */
void table_cell(struct table *t, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets a cell that is the last of its row. It does not widen its column. */
void table_tail(struct table *t, int column, const char *text);

/* Prints heads and rows. */
void table_print(const struct table *t, const struct terminal *terminal);

#endif
