/* SPDX-License-Identifier: MIT */
/* cells.c - see cells.h. */
#include "report/top/cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct cells_column columns[TOP_COLUMNS] = {
    [TOP_CALLS] = {"calls/s", "calls", 11, 0},
    [TOP_SELF_SHARE] = {"%self", "%self", 6, 0},
    [TOP_SELF_TIME] = {"self/s", "self", 8, 7},
    [TOP_TOTAL_SHARE] = {"%total", "%total", 7, 0},
    [TOP_TOTAL_TIME] = {"total/s", "total", 8, 8},
    [TOP_WAITED] = {"waited/s", "waited", 9, 9},
    [TOP_EACH] = {"self/call", "self/call", 10, 5},
    [TOP_BAR] = {"+-", "+-", 5, 6},
    [TOP_COUNTER] = {"", "", 13, 1},
    [TOP_COUNTER + 1] = {"", "", 13, 2},
    [TOP_COUNTER + 2] = {"", "", 13, 3},
    [TOP_COUNTER + 3] = {"", "", 13, 4},
    [TOP_TREND] = {"", "", 3, 0},
    [TOP_NAME] = {"name", "name", 0, 0},
};

/* Of a finished profile: those of 'zprof report'. */
static const struct cells_column finished[TOP_COLUMNS] = {
    [TOP_CALLS] = {"", "calls", 9, 0},         [TOP_SELF_SHARE] = {"", "% self", 7, 0},
    [TOP_SELF_TIME] = {"", "self", 9, 1},      [TOP_SELF_BAR] = {"", "+-", 5, 7},
    [TOP_TOTAL_SHARE] = {"", "% total", 8, 0}, [TOP_TOTAL_TIME] = {"", "total", 9, 3},
    [TOP_TOTAL_BAR] = {"", "+-", 5, 8},        [TOP_WAITED] = {"", "waited", 9, CELLS_DROPS},
    [TOP_EACH] = {"", "self/call", 11, 9},     [TOP_COUNTER] = {"", "", 13, 2},
    [TOP_COUNTER + 1] = {"", "", 13, 4},       [TOP_COUNTER + 2] = {"", "", 13, 5},
    [TOP_COUNTER + 3] = {"", "", 13, 6},       [TOP_TREND] = {"", "", 2, 0},
    [TOP_NAME] = {"", "name", 0, 0},           [TOP_PLACE] = {"", "place", 0, 0},
};
_Static_assert(COST_COUNTERS == 4, "a column for each counter");

#define ALL_COUNTERS TOP_COUNTER, TOP_COUNTER + 1, TOP_COUNTER + 2, TOP_COUNTER + 3

const enum top_column *cells_order(const struct top *t)
{
	static const enum top_column live[] = {TOP_CALLS,       TOP_SELF_SHARE, TOP_SELF_TIME,
					       TOP_TOTAL_SHARE, TOP_TOTAL_TIME, TOP_WAITED,
					       TOP_EACH,        TOP_BAR,        ALL_COUNTERS,
					       TOP_TREND,       TOP_NAME},
				     by_self[] = {TOP_SELF_SHARE, TOP_SELF_TIME, TOP_SELF_BAR,
						  TOP_TOTAL_TIME, TOP_TOTAL_BAR, TOP_WAITED,
						  TOP_CALLS,      TOP_EACH,      ALL_COUNTERS,
						  TOP_TREND,      TOP_NAME},
				     by_total[] = {TOP_TOTAL_SHARE, TOP_TOTAL_TIME, TOP_TOTAL_BAR,
						   TOP_SELF_TIME,   TOP_SELF_BAR,   TOP_WAITED,
						   TOP_CALLS,       TOP_EACH,       ALL_COUNTERS,
						   TOP_TREND,       TOP_NAME};
	if (!top_is_finished(t))
		return live;
	return top_is_by_self(t->view) ? by_self : by_total;
}

const struct cells_column *cells_column(const struct top *t, enum top_column column)
{
	return top_is_finished(t) ? &finished[column] : &columns[column];
}

int cells_drop(const struct top *t, enum top_column column)
{
	static const enum top_column other[TOP_COLUMNS] = {[TOP_SELF_TIME] = TOP_TOTAL_TIME,
							   [TOP_SELF_BAR] = TOP_TOTAL_BAR,
							   [TOP_TOTAL_TIME] = TOP_SELF_TIME,
							   [TOP_TOTAL_BAR] = TOP_SELF_BAR};
	bool turned = top_is_finished(t) && !top_is_by_self(t->view) && other[column];
	if (top_is_counter(column) && t->sort == column)
		return 0;
	return cells_column(t, turned ? other[column] : column)->drop;
}

const char *cells_head(const struct top *t, enum top_column column)
{
	if (top_is_counter(column))
		return t->counter_heads[column - TOP_COUNTER];
	if (t->view == TOP_SOURCE && column == TOP_SELF_TIME)
		return "here";
	if (t->view == TOP_SOURCE && column == TOP_NAME)
		return " line  source";
	if (t->view == TOP_FRAMES && column == TOP_TOTAL_TIME)
		return "wall";
	if (t->view == TOP_FRAMES && column == TOP_TOTAL_SHARE)
		return "%most";
	return top_is_rate(t) ? cells_column(t, column)->rate : cells_column(t, column)->sum;
}

const char *cells_count(char text[CELLS_ROOM], double n, bool rate)
{
	if (rate && n > 0 && n < 99.95)
		snprintf(text, CELLS_ROOM, n < 0.05 ? "<0.1" : "%.1f", n);
	else
		units_count(text, n > 0 ? (uint64_t)llround(n) : 0);
	return text;
}

static bool is_in_frame(const struct top *t)
{
	return t->measure == MEASURE_FRAME && t->view != TOP_FRAMES;
}

/* In a frame, a function without a sample may have run for as long as two samples stand for. */
static double bar_in(const struct top *t, double bar)
{
	const struct zprof_header *h = &t->follow->view.load.processes[0].header;
	bool few = is_in_frame(t) && bar > 0 && h->mode == ZPROF_MODE_COUNT;
	return few ? fmax(bar, 2.0 * (double)h->sample_period_ns) : bar;
}

/* The time of each of N calls, or of all if that is 1, or its bound: nothing in a frame took longer
 * than the frame. */
static const char *time_text(const struct top *t, double ns, double bar, double n,
			     char text[CELLS_ROOM])
{
	double most = is_in_frame(t) ? t->follow->shown.wall_ns : 0;
	return view_bounded_by(&t->follow->view, text, ns / n, bar_in(t, bar) / n, most / n);
}

/* A row's share of the whole: of the calls if times are unknown or fake, otherwise of the time. */
static const char *share(const struct top *t, const struct top_row *r, double ns, double bar,
			 char text[CELLS_ROOM])
{
	if (t->follow->view.counts_only)
		return units_percent(text, r->calls, t->whole_calls);
	return view_percent(&t->follow->view, text, ns, bar_in(t, bar), t->whole.ns);
}

static const char *trend_text(double trend)
{
	return trend > CELLS_TREND ? "^" : trend < -CELLS_TREND ? "v" : "";
}

/* The time of a kept frame is known even where only calls were counted. */
static bool is_total_shown(const struct top *t, const struct top_row *r)
{
	return r->shows_total && (!t->follow->view.counts_only || r->kind == TOP_FRAME);
}

static const char *bar_text(const struct top *t, double ns, double bar, char text[CELLS_ROOM])
{
	return view_bar(&t->follow->view, text, ns, bar_in(t, bar));
}

const char *cells_text(const struct top *t, const struct top_row *r, enum top_column column,
		       char text[CELLS_ROOM])
{
	bool timed = !t->follow->view.counts_only;
	*text = 0;
	switch (column) {
	case TOP_CALLS:
		if (!r->shows_calls)
			return "";
		if (t->follow->view.sampled && r->calls <= 0)
			return "sampled";
		return r->kind == TOP_CONTEXT && !r->item
			   ? ""
			   : cells_count(text, r->calls, top_is_rate(t));
	case TOP_SELF_SHARE:
		return !r->shows_self ? "" : share(t, r, r->self_ns, r->self_bar, text);
	case TOP_SELF_TIME:
		return timed && r->shows_self ? time_text(t, r->self_ns, r->self_bar, 1, text) : "";
	case TOP_TOTAL_SHARE:
		return is_total_shown(t, r) ? share(t, r, r->total_ns, r->total_bar, text) : "";
	case TOP_TOTAL_TIME:
		return is_total_shown(t, r) ? time_text(t, r->total_ns, r->total_bar, 1, text) : "";
	case TOP_WAITED:
		return timed && r->wait_ns >= 0.5 ? time_text(t, r->wait_ns, 0, 1, text) : "";
	case TOP_SELF_BAR:
		return timed && r->shows_self ? bar_text(t, r->self_ns, r->self_bar, text) : "";
	case TOP_TOTAL_BAR:
		return is_total_shown(t, r) && !r->low
			   ? bar_text(t, r->total_ns, r->total_bar, text)
			   : "";
	case TOP_EACH:
		return timed && r->shows_self && r->calls > 0 && t->view != TOP_SOURCE
			   ? time_text(t, r->self_ns, r->self_bar, r->calls, text)
			   : "";
	case TOP_BAR:
		return timed && r->calls > 0 && !cost_is_bound(r->self_ns, bar_in(t, r->self_bar))
			   ? units_bar(text, r->self_bar / r->calls, r->self_ns / r->calls)
			   : "";
	case TOP_COUNTER ... TOP_COUNTER_LAST:
		return *cells_head(t, column) && r->shows_self
			   ? cells_count(text, r->counters[column - TOP_COUNTER], top_is_rate(t))
			   : "";
	case TOP_TREND:
		return trend_text(r->trend);
	default:
		return "";
	}
}
