/* SPDX-License-Identifier: MIT */
/*
 * top.h - the model of the live view, and of `zprof view`: which rows it has and how keys change
 * them, without a terminal.
 *
 *     reading (follow.h) -> measure, filters -> functions and arcs -> rows -> lines (sheet.h) -> screen
 *                           '------------- top_make() -----------'
 *
 * Of a finished profile (follow_finished()), the first two steps are left out: there are no readings
 * and no rates, and what is derived from the tree is kept from key to key (kept.h).
 *
 * The cursor stays with the row that it was moved to: when the order changes, the cursor moves
 * along. A cursor on the first line stays on the first line.
 */
#ifndef REPORT_TOP_H
#define REPORT_TOP_H

#include "report/callgraph/counter_columns.h"
#include "report/top/follow.h"
#include "report/top/kept.h"
#include "report/top/opened.h"
#include "report/top/trail.h"

enum top_view {
	TOP_SELF,
	TOP_TOTAL,
	TOP_GRAPH,
	TOP_TREE,
	TOP_GROUPS,
	TOP_THREADS,
	TOP_FRAMES,
	TOP_CALLERS, /* the last two: of a finished profile alone */
	TOP_SOURCE,
	TOP_VIEWS
};

enum top_column {
	TOP_CALLS,
	TOP_SELF_SHARE,
	TOP_SELF_TIME,
	TOP_TOTAL_SHARE,
	TOP_TOTAL_TIME,
	TOP_WAITED,
	TOP_EACH,    /* self time of a call */
	TOP_BAR,     /* the error bar of TOP_EACH, in its unit */
	TOP_COUNTER, /* the first counter of an interpreter, or of events=; the others follow */
	TOP_COUNTER_LAST = TOP_COUNTER + COST_COUNTERS - 1,
	TOP_TREND,
	TOP_SELF_BAR, /* error bars of times, each in the unit of its time */
	TOP_TOTAL_BAR,
	TOP_NAME,
	TOP_PLACE,
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
	TOP_LINE,      /* of the source; its zone is the function that it calls, if there is one */
	TOP_LINE_CALL, /* one of several calls from the line above */
};

struct top_row {
	enum top_kind kind;
	uint32_t item;    /* number of a zone, group (0: etc), thread or kept frame */
	uint64_t key;     /* identifies the row from one reading to the next, for the cursor */
	uint32_t node;    /* of a context: its node in the tree that the rows were made from; of a
			     chain of callers: its row in struct callers */
	uint32_t depth;   /* the indent is twice this many columns */
	char mark;        /* '+' can be opened, '-' is open */
	bool shows_total; /* false: threads and groups have no total */
	bool shows_self;  /* false: frames have no self time */
	bool shows_calls;
	bool open, low;
	double calls, self_ns, self_bar, total_ns, total_bar, wait_ns;
	double counters[COST_COUNTERS];
	double trend; /* from -1 (falling) to 1 (rising) */
	char *name;
};

/* Which text the user is typing at the foot. */
enum top_prompt { TOP_NO_PROMPT, TOP_SEARCH, TOP_FILTER, TOP_SNAPSHOT };

#define TOP_HISTORY 64 /* the history graph shows a function's self time in this many readings */

struct top {
	struct follow *follow; /* NULL: no process is chosen yet */
	enum top_view view;
	enum measure measure;
	enum top_column sort;
	bool reversed, spread, paused, helping;
	uint32_t zone;                              /* the function of the graph view */
	struct patterns threads, functions, groups; /* typed or chosen: they replace options */
	enum top_prompt prompt;
	struct str typed, search, message;

	struct kept kept;   /* what the rows are made from */
	struct trail trail; /* where the user has been, in a finished profile */
	bool telling;       /* the head and the losses are shown, whole */

	struct top_row *rows;
	size_t row_count, row_room;
	size_t cursor, first, page; /* first: the row at the top of the screen; page: rows on it */
	uint64_t cursor_key;
	bool held;         /* the cursor follows the row with cursor_key */
	struct cost whole; /* sum of all that is shown: 100 % */
	double whole_calls;
	/* Of each counter that counted something, the head of its column; "": no column. */
	char counter_heads[COST_COUNTERS][COUNTER_HEAD_ROOM];
	size_t more; /* rows that the filters hide */

	struct opened opened;
	float *history; /* by zone, a ring of TOP_HISTORY readings: self ns a second */
	size_t history_zones, history_at;
	float *now_calls, *long_calls; /* by zone, for the trend */
	size_t trend_zones;
};

void top_init(struct top *t);
void top_free(struct top *t);

/* Follows the process of F from now on; NULL: none. F stays the caller's. */
void top_follow(struct top *t, struct follow *f);

/* After each reading: adds the self times of zones to the history. */
void top_remember(struct top *t);

/* Makes the rows anew: after a reading, and after everything that changes them. */
void top_make(struct top *t);

/* The row under the cursor; NULL: there is none. */
const struct top_row *top_row(const struct top *t);

/* The zone of the row under the cursor; 0: the row is of no zone. */
uint32_t top_row_zone(const struct top *t);

/* Whether a view stands in the order of self times, or of totals, unless the user sorts it. */
static inline bool top_is_by_self(enum top_view view)
{
	return view == TOP_SELF || view == TOP_CALLERS || view == TOP_GROUPS || view == TOP_THREADS;
}

/* Whether the profile is finished: it has sums alone, and more views (kept.h). */
static inline bool top_is_finished(const struct top *t)
{
	return t->follow && t->follow->finished;
}

/* Each does what one key asks for, and returns true if the rows must be made anew. */
bool top_move(struct top *t, long lines);
/* Shows the call graph of the function under the cursor; or filters by its thread or group. */
bool top_select(struct top *t);
bool top_select_parent(struct top *t); /* the caller with the largest total */
bool top_back(struct top *t);          /* where the user was before, in a finished profile */
bool top_set_view(struct top *t, enum top_view view);
bool top_set_measure(struct top *t, enum measure measure);
/* Shows the next time that the profile knows: cpu, wait, wall, own. The history graph begins anew. */
bool top_next_time(struct top *t);
bool top_sort_by(struct top *t, enum top_column column); /* the sort column again: reversed */
bool top_sort_beside(struct top *t, int direction);      /* -1: by the column left of it */
bool top_open(struct top *t, bool open);
bool top_open_all(struct top *t); /* opens contexts along the largest totals, down to the last */
bool top_show_frame(struct top *t, const struct loader_piece *frame); /* its functions alone */
bool top_slowest_frame(struct top *t);
bool top_next_frame(struct top *t, int direction); /* -1: the frame before */
bool top_clear_filters(struct top *t);
bool top_search(struct top *t, bool next);
bool top_filter(struct top *t, const char *pattern);

static inline bool top_is_counter(enum top_column column)
{
	return column >= TOP_COUNTER && column <= TOP_COUNTER_LAST;
}

/* Whether the view shows rows that can be opened. */
static inline bool top_is_tree(const struct top *t)
{
	return t->view == TOP_TREE || t->view == TOP_CALLERS;
}

/* Whether the measure shown is a rate (per second or turn), not a sum. */
static inline bool top_is_rate(const struct top *t)
{
	return t->measure < MEASURE_ALL;
}

#endif
