/* SPDX-License-Identifier: MIT */
/*
 * sheet.h - lays the live view and `zprof view` out as lines of text, for any width and height. The terminal
 * (screen.h) and `zprof top --batch` take these lines as they are.
 *
 *     command                                    process, how long it runs
 *     all threads: calls, processor, waits, hooks
 *     what is shown, and how it is filtered
 *     column heads                                        '*' the column it is sorted by
 *     rows ...
 *     history of the function under the cursor            from 16 lines on
 *     losses, or a message, or what is being typed
 *     keys                                                from 14 lines on
 *
 * Of a finished profile, the first lines are those of a report's head, and below the rows stands the
 * whole name of the function under the cursor in place of its history.
 */
#ifndef REPORT_SHEET_H
#define REPORT_SHEET_H

#include "report/top/top.h"

enum sheet_style {
	SHEET_PLAIN,
	SHEET_TITLE,
	SHEET_HEAD,
	SHEET_STRONG,
	SHEET_RISING,
	SHEET_FALLING,
	SHEET_FAINT,
};

struct sheet_line {
	struct str text;
	enum sheet_style style;
	bool cursor;
};

struct sheet {
	struct sheet_line *lines;
	size_t count, room;
	int first_line; /* of the rows */
	int rows;       /* lines of rows */
	int head_line;
	int column_end[TOP_COLUMNS]; /* the first place right of the column; 0: not shown */
};

/* Lays T out. WIDTH 0: lines are not cut. HEIGHT 0: all rows are shown, without the lines for a
 * reader who can press keys. UNICODE: the terminal shows block elements. */
void sheet_make(struct sheet *s, struct top *t, int width, int height, bool unicode);
void sheet_free(struct sheet *s);

/* The column whose head is at X; TOP_COLUMNS: none. */
enum top_column sheet_column_at(const struct sheet *s, int x);

/* The names of the measures. */
extern const char *const sheet_head_measures[MEASURES];

#endif
