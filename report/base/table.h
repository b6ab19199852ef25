/* SPDX-License-Identifier: MIT */
/*
 * table.h - the one table printer: rows are collected, columns get the width of their widest cell,
 * then it is printed.
 *
 * Columns are described by the view, so that a view with more measures has more of them and nothing
 * else changes. The last column is text of any width; on a terminal it is what is cut when a line
 * does not fit.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/base/str.h"
#include "report/base/terminal.h"

#define TABLE_COLUMNS 20
#define TABLE_ALIGN   48

struct table_column {
	const char *head;
	bool right;      /* numbers */
	bool head_right; /* the head alone is set right */
	int gap;         /* spaces before it */
	int least;       /* columns it takes at least */
	bool optional;   /* left out where no row has a cell in it */
	bool extra;   /* optional, and left out on a terminal where names have no room beside it */
	bool elastic; /* gives way on a terminal; elsewhere text beyond TABLE_ALIGN is not aligned
			 to */
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
	struct str text;
};

/* COLUMNS must live as long as the table. */
void table_init(struct table *t, const struct table_column *columns, int column_count);
void table_free(struct table *t);

void table_row(struct table *t, enum table_style style);
void table_rule(struct table *t);

/* Sets a cell of the last row. */
void table_cell(struct table *t, int column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, for a cell with none behind it in its row: its column need not be as wide as it is. */
void table_tail(struct table *t, int column, const char *text);

/* Prints heads and rows on stdout. */
void table_print(const struct table *t, const struct terminal *terminal);

#endif
