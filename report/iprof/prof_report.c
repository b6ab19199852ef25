/* SPDX-License-Identifier: MIT */
/*
 * prof_report.c - IProf's report inside the program (preload/iprof.h): the live view of the
 * program's own profile, as rows that it draws itself.
 *
 * The profile is read from its mapped file, as `zprof top` reads it; the part of the library that
 * records is not involved. Counts between two reports are divided by the number of frames that
 * ended between them.
 */
#include "preload/iprof.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/core/base/memory.h"
#include "report/process/processes.h"
#include "report/top/top.h"

#define FRAMES     "Prof_update"
#define SMOOTHING1 10
#define SMOOTHING2 100
#define ZONES      8 /* lines of the graph */
#define INDENT     2

static struct {
	struct options options;
	struct follow follow;
	struct top top;
	bool open, paused;
	int frame;            /* 0: the latest moment; 1: the latest frame that was kept, ... */
	enum measure average; /* which measure is shown while `frame` is 0 */
	double smoothing[2];
	struct Prof_Report report;
	struct Prof_Report_Record *records;
	struct Prof_Graph graph;
	const char *names[ZONES];
	float values[ZONES * TOP_HISTORY];
	struct str titles[2];
} prof = {
    .options = {.width = -1}, .average = MEASURE_SHORT, .smoothing = {SMOOTHING1, SMOOTHING2}};

static void set_smoothing(void)
{
	prof.follow.contexts.constant[MEASURE_SHORT] = prof.smoothing[0];
	prof.follow.contexts.constant[MEASURE_LONG] = prof.smoothing[1];
}

static bool start(void)
{
	struct str err = {0};
	char *path = processes_profile(getpid(), &err);
	if (path && follow_open(&prof.follow, &prof.options, path, &err)) {
		enum top_view view = prof.top.view;
		bool spread = prof.top.spread;
		prof.follow.turns = FRAMES;
		set_smoothing();
		prof.open = follow_from_start(&prof.follow, &err);
		top_init(&prof.top);
		prof.top.view = view;
		top_follow(&prof.top, &prof.follow);
		prof.top.measure = prof.average;
		prof.top.spread = spread;
	}
	free(path);
	str_free(&err);
	return prof.open;
}

/* Takes a reading, unless the report is paused; false if nothing is recorded. */
static bool read_profile(void)
{
	struct str err = {0};
	if (!prof.open && !start())
		return false;
	if (!prof.paused && follow_read(&prof.follow, &err))
		top_remember(&prof.top);
	str_free(&err);
	top_make(&prof.top);
	return true;
}

static void fill(struct Prof_Report_Record *to, const struct top_row *r, bool cursor)
{
	*to = (struct Prof_Report_Record){.name = r->name,
					  .indent = (int)r->depth * INDENT,
					  .mark = r->mark,
					  .highlight = cursor,
					  .heat = fabs(r->trend)};
	to->values[Prof_SELF] = r->self_ns > 0 ? r->self_ns / 1e6 : 0;
	to->values[Prof_HIERARCHICAL] = r->total_ns > 0 ? r->total_ns / 1e6 : 0;
	to->values[Prof_COUNT] = r->calls;
	to->shown = 1 << Prof_COUNT;
	if (!prof.follow.view.counts_only)
		to->shown |= 1 << Prof_SELF | 1 << Prof_HIERARCHICAL;
}

static void make_titles(void)
{
	static const char *const views[] = {[TOP_SELF] = "self time",
					    [TOP_TOTAL] = "hierarchical time",
					    [TOP_GRAPH] = "call graph"};
	static const char *const measures[MEASURES] = {"current", "average 1", "average 2", "all",
						       "one frame"};
	const struct top *t = &prof.top;
	for (int i = 0; i < 2; i++)
		str_clear(&prof.titles[i]);
	str_add(&prof.titles[0], "%s, %s", views[t->view], measures[t->measure]);
	str_add(&prof.titles[1], "%.2f ms a frame%s", t->whole.ns / 1e6,
		prof.paused ? ", paused" : "");
}

const struct Prof_Report *Prof_report(void)
{
	static const char *const headings[] = {"zone", "self", "hier", "count"};
	struct top *t = &prof.top;
	if (!read_profile())
		return NULL;
	make_titles();
	prof.records = memory_resize(prof.records, t->row_count, sizeof *prof.records);
	for (size_t i = 0; i < t->row_count; i++)
		fill(&prof.records[i], &t->rows[i], i == t->cursor);
	prof.report =
	    (struct Prof_Report){.record_count = (int)t->row_count, .records = prof.records};
	for (int i = 0; i < 2; i++)
		prof.report.titles[i] = str_text(&prof.titles[i]);
	memcpy(prof.report.headings, headings, sizeof headings);
	return &prof.report;
}

/* Chooses the zones with the largest self time in the remembered readings. */
static int choose_zones(uint32_t *zones)
{
	const struct top *t = &prof.top;
	double sums[ZONES];
	int count = 0;
	for (size_t z = 1; z < t->history_zones; z++) {
		double sum = 0;
		for (int i = 0; i < TOP_HISTORY; i++)
			sum += t->history[z * TOP_HISTORY + (size_t)i];
		int at = count < ZONES ? count++ : ZONES;
		if (sum <= 0) {
			count -= at < ZONES;
			continue;
		}
		for (; at && sums[at - 1] < sum; at--)
			if (at < ZONES) {
				sums[at] = sums[at - 1];
				zones[at] = zones[at - 1];
			}
		if (at < ZONES) {
			sums[at] = sum;
			zones[at] = (uint32_t)z;
		}
	}
	return count;
}

const struct Prof_Graph *Prof_graph(void)
{
	uint32_t zones[ZONES];
	const struct top *t = &prof.top;
	if (!prof.open)
		return NULL;
	int count = choose_zones(zones);
	for (int k = 0; k < count; k++) {
		prof.names[k] = prof.follow.view.load.zones.list[zones[k]].name;
		for (size_t i = 0; i < TOP_HISTORY; i++)
			prof.values[(size_t)k * TOP_HISTORY + i] =
			    t->history[zones[k] * TOP_HISTORY +
				       (t->history_at + 1 + i) % TOP_HISTORY] /
			    1e6f;
	}
	prof.graph = (struct Prof_Graph){count, TOP_HISTORY, prof.names, prof.values};
	return &prof.graph;
}

void Prof_set_report_mode(enum Prof_Report_Mode mode)
{
	enum top_view view = mode == Prof_CALL_GRAPH          ? TOP_GRAPH
			     : mode == Prof_HIERARCHICAL_TIME ? TOP_TOTAL
							      : TOP_SELF;
	if (prof.open)
		top_set_view(&prof.top, view);
	else if (view != TOP_GRAPH)
		prof.top.view = view;
}

void Prof_move_cursor(int lines)
{
	top_move(&prof.top, lines);
}

void Prof_set_cursor(int line)
{
	top_move(&prof.top, (long)line - (long)prof.top.cursor);
}

void Prof_select(void)
{
	if (prof.open)
		top_select(&prof.top);
}

void Prof_select_parent(void)
{
	if (prof.open && prof.top.view == TOP_GRAPH)
		top_select_parent(&prof.top);
}

void Prof_set_average(int which)
{
	prof.average = which <= 0 ? MEASURE_NOW : which == 1 ? MEASURE_SHORT : MEASURE_LONG;
	if (!prof.frame)
		prof.top.measure = prof.average;
}

/* The COUNT-th kept frame, counted from the latest. If there are fewer, it is the oldest, and
 * *COUNT becomes its number. NULL: no frame was kept. */
static const struct loader_piece *find_frame(int *count)
{
	const struct loader_pieces *l = &prof.follow.frames;
	const struct loader_piece *at = NULL, *older;
	struct loader_piece latest = {.number = UINT64_MAX};
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->list[i].kind, FRAMES))
			latest.reference = l->list[i].reference;
	int n = 0;
	while (n < *count && (older = frame_list_next(l, at ? at : &latest, -1))) {
		at = older;
		n++;
	}
	*count = n;
	return at;
}

void Prof_set_frame(int frame)
{
	struct str err = {0};
	prof.frame = frame > 0 && prof.open ? frame : 0;
	const struct loader_piece *found = prof.frame ? find_frame(&prof.frame) : NULL;
	if (found && follow_frame(&prof.follow, found, &err))
		prof.top.measure = MEASURE_FRAME;
	else
		prof.top.measure = prof.average;
	str_free(&err);
}

void Prof_move_frame(int frames)
{
	/* The number of a frame counts backwards in time. */
	Prof_set_frame(prof.frame - frames);
}

void Prof_set_smoothing(double frames1, double frames2)
{
	prof.smoothing[0] = frames1;
	prof.smoothing[1] = frames2;
	set_smoothing();
}

void Prof_set_recursion(enum Prof_Recursion how)
{
	prof.top.spread = how == Prof_SPREAD_RECURSION;
}

/* A pause ends a report's interval: events since the last report, up to the end of the pause, are
 * in no later report. */
void Prof_pause(int on)
{
	struct str err = {0};
	if (prof.open && prof.paused && !on)
		follow_skip(&prof.follow, &err);
	prof.paused = on;
	str_free(&err);
}
