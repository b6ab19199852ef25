/* SPDX-License-Identifier: MIT */
/*
 * top.h - what the live view shows and how keys change it, without a terminal: the model of the
 * screen.
 *
 *     reading (follow.h) -> measure, filters -> functions and arcs -> rows -> lines (sheet.h) -> screen
 *                           '------------- top_make() -----------'
 *
 * The cursor stays with the row that it was moved to, not with a line: when the order changes, it
 * moves along with that row. If it was moved to the first line, it stays on that line.
 */
#ifndef REPORT_TOP_H
#define REPORT_TOP_H

#include "report/top/follow.h"

enum top_view {
	TOP_SELF,
	TOP_TOTAL,
	TOP_GRAPH,
	TOP_TREE,
	TOP_GROUPS,
	TOP_THREADS,
	TOP_FRAMES,
	TOP_VIEWS
};

enum top_column {
	TOP_CALLS,
	TOP_SELF_SHARE,
	TOP_SELF_TIME,
	TOP_TOTAL_SHARE,
	TOP_TOTAL_TIME,
	TOP_WAITED,
	TOP_EACH, /* self time of a call */
	TOP_BAR,  /* the error bar of TOP_EACH and of the self time */
	TOP_COUNTER,
	TOP_TREND,
	TOP_NAME,
	TOP_COLUMNS
};

enum top_kind {
	TOP_FUNCTION,
	TOP_CALLER,
	TOP_OWN,
	TOP_CALLEE,
	TOP_CONTEXT,
	TOP_GROUP,
	TOP_THREAD,
	TOP_FRAME,
};

struct top_row {
	enum top_kind kind;
	uint32_t item;    /* number of a zone, group (0: etc), thread or kept frame */
	uint64_t key;     /* by which the cursor stays with the row */
	uint32_t node;    /* of a context: in the tree that the rows were made from */
	uint32_t depth;   /* the indent is twice as many columns */
	char mark;        /* '+' can be opened, '-' is open */
	bool shows_total; /* false: threads and groups have no total */
	bool shows_self;  /* false: frames have no self time */
	bool open, low;
	double calls, self_ns, self_bar, total_ns, total_bar, wait_ns, counter;
	double trend; /* from -1 (falling) to 1 (rising) */
	char *name;
};

/* What is being typed at the foot. */
enum top_prompt { TOP_NO_PROMPT, TOP_SEARCH, TOP_FILTER, TOP_SNAPSHOT };

#define TOP_HISTORY 64 /* readings of which a function's self time is remembered */

struct top {
	struct follow *follow; /* NULL: none is chosen yet */
	enum top_view view;
	enum measure measure;
	enum top_column sort;
	bool reversed, spread, paused, helping;
	uint32_t zone;                              /* the graph's */
	struct patterns threads, functions, groups; /* typed or chosen: they replace the options' */
	enum top_prompt prompt;
	struct str typed, search, message;

	struct top_row *rows;
	size_t row_count, row_room;
	size_t cursor, first, page; /* first: the row at the top of the screen; page: rows on it */
	uint64_t cursor_key;
	bool held;         /* the cursor follows the row with that key */
	struct cost whole; /* sum of what is shown: 100 % */
	double whole_calls;
	int counter; /* the interpreter's counter that has a column; -1: none */
	size_t more; /* rows that the filters hide */

	uint64_t *opened; /* keys of contexts */
	size_t opened_count, opened_room;
	float *history; /* TOP_HISTORY of each zone: self ns a second; a ring */
	size_t history_zones, history_at;
	float *now_calls, *long_calls; /* by zone, for the trend */
	size_t trend_zones;
};

void top_init(struct top *t);
void top_free(struct top *t);

/* Follows another process from now on, or none. F stays the caller's. */
void top_follow(struct top *t, struct follow *f);

/* After each reading: remembers what the history graph shows. */
void top_remember(struct top *t);

/* Makes the rows anew: after a reading, and after everything that changes them. */
void top_make(struct top *t);

/* The row under the cursor; NULL: there is none. */
const struct top_row *top_row(const struct top *t);

/* The zone of the row under the cursor, 0: it is of none. */
uint32_t top_row_zone(const struct top *t);

/* What keys do. True if the rows must be made anew. */
bool top_move(struct top *t, long lines);
bool top_select(struct top *t);        /* the call graph of what is under the cursor, or a filter */
bool top_select_parent(struct top *t); /* the caller with the largest total */
bool top_set_view(struct top *t, enum top_view view);
bool top_set_measure(struct top *t, enum measure measure);
bool top_sort_by(struct top *t, enum top_column column); /* the same column again: reversed */
bool top_open(struct top *t, bool open);
bool top_open_all(struct top *t); /* along the largest totals, down to the last */
bool top_show_frame(struct top *t, const struct loader_piece *frame); /* shows its functions */
bool top_slowest_frame(struct top *t);
bool top_next_frame(struct top *t, int direction); /* -1: the frame before */
bool top_clear_filters(struct top *t);
bool top_search(struct top *t, bool next);
bool top_filter(struct top *t, const char *pattern);

void top_say(struct top *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether the context of that key shows what it called. A ROOT does until it is closed. */
bool top_is_opened(const struct top *t, uint64_t key, bool root);

/* Rates, not sums. */
static inline bool top_is_rate(const struct top *t)
{
	return t->measure < MEASURE_ALL;
}

#endif
