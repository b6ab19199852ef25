/* SPDX-License-Identifier: MIT */
/* top.c - see top.h. */
#define _GNU_SOURCE
#include "report/top/top.h"
#include "report/top/message.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/core/base/memory.h"
#include "report/top/cells.h"
#include "report/top/rows.h"

static enum top_column column_of(enum top_view view)
{
	return top_is_by_self(view) ? TOP_SELF_SHARE : TOP_TOTAL_SHARE;
}

void top_init(struct top *t)
{
	*t = (struct top){.measure = MEASURE_SHORT, .page = 1};
	t->sort = column_of(t->view);
}

static void forget(struct top *t)
{
	rows_free(t);
	opened_free(&t->opened);
	free(t->history);
	free(t->now_calls);
	free(t->long_calls);
	t->history = t->now_calls = t->long_calls = NULL;
	t->history_zones = t->trend_zones = 0;
	t->zone = 0;
	t->cursor = 0;
	t->cursor_key = 0;
	t->held = false;
	trail_free(&t->trail);
	kept_forget(&t->kept);
}

void top_free(struct top *t)
{
	forget(t);
	free(t->rows);
	pattern_list_free(&t->threads);
	pattern_list_free(&t->functions);
	pattern_list_free(&t->groups);
	str_free(&t->typed);
	str_free(&t->search);
	str_free(&t->message);
}

void top_follow(struct top *t, struct follow *f)
{
	forget(t);
	pattern_list_free(&t->threads);
	t->follow = f;
	t->paused = false;
	if (f && f->state != FOLLOW_RUNS)
		t->measure = MEASURE_ALL;
	if (t->view == TOP_GRAPH)
		t->view = TOP_SELF;
}

/* ---- what is remembered of each zone */

static double shown_ns(const struct follow *f, const struct context *c)
{
	struct cost cost = {.ns = c->ns,
			    .cpu_ns = c->cpu_ns,
			    .wait_ns = c->wait_ns,
			    .preempted_ns = c->preempted_ns};
	return view_shown(&f->view, &cost).ns;
}

static void sum_zones(const struct follow *f, enum measure measure, float *calls, float *self_ns)
{
	const struct contexts *c = &f->contexts;
	double weight = c->weight[measure];
	for (size_t i = 0; i < c->tree.count && i < c->room[measure] && weight > 0; i++) {
		uint32_t zone = c->tree.nodes[i].zone;
		if (calls)
			calls[zone] += (float)(c->of[measure][i].calls / weight);
		if (self_ns)
			self_ns[zone * TOP_HISTORY] +=
			    (float)(shown_ns(f, &c->of[measure][i]) / weight);
	}
}

static void make_room(struct top *t, size_t zones)
{
	if (zones <= t->history_zones)
		return;
	t->history = memory_resize(t->history, zones * TOP_HISTORY, sizeof *t->history);
	memset(t->history + t->history_zones * TOP_HISTORY, 0,
	       (zones - t->history_zones) * TOP_HISTORY * sizeof *t->history);
	t->history_zones = zones;
}

void top_remember(struct top *t)
{
	size_t zones = t->follow->view.load.zones.count;
	make_room(t, zones);
	t->history_at = (t->history_at + 1) % TOP_HISTORY;
	for (size_t i = 0; i < zones; i++)
		t->history[i * TOP_HISTORY + t->history_at] = 0;
	free(t->now_calls);
	free(t->long_calls);
	t->now_calls = memory_zeroed(zones, sizeof *t->now_calls);
	t->long_calls = memory_zeroed(zones, sizeof *t->long_calls);
	t->trend_zones = zones;
	sum_zones(t->follow, MEASURE_NOW, t->now_calls, t->history + t->history_at);
	sum_zones(t->follow, MEASURE_LONG, t->long_calls, NULL);
}

/* ---- the cursor */

const struct top_row *top_row(const struct top *t)
{
	return t->cursor < t->row_count ? &t->rows[t->cursor] : NULL;
}

static uint32_t zone_of(const struct top *t, const struct top_row *r)
{
	if (!r || r->kind == TOP_GROUP || r->kind == TOP_THREAD || r->kind == TOP_FRAME)
		return 0;
	const struct zones *z = &t->follow->view.load.zones;
	return r->item < z->count ? zones_unspread(z, r->item) : 0;
}

uint32_t top_row_zone(const struct top *t)
{
	return zone_of(t, top_row(t));
}

static void hold_cursor(struct top *t)
{
	const struct top_row *r = top_row(t);
	t->cursor_key = r ? r->key : 0;
	t->held = t->cursor > 0;
}

static void put_cursor(struct top *t, enum top_kind kind)
{
	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].kind == kind) {
			t->cursor = i;
			break;
		}
	hold_cursor(t);
}

static void find_cursor(struct top *t)
{
	const struct top_row *r;
	for (size_t i = 0; t->held && i < t->row_count; i++)
		if (t->rows[i].key == t->cursor_key) {
			t->cursor = i;
			break;
		}
	if (t->cursor >= t->row_count)
		t->cursor = t->row_count ? t->row_count - 1 : 0;
	r = top_row(t);
	t->cursor_key = r ? r->key : 0;
}

void top_make(struct top *t)
{
	if (!t->follow)
		return;
	rows_make(t);
	find_cursor(t);
}

bool top_move(struct top *t, long lines)
{
	long to = (long)t->cursor + lines, last = (long)t->row_count - 1;
	to = to > last ? last : to;
	t->cursor = to > 0 ? (size_t)to : 0;
	hold_cursor(t);
	return false;
}

/* ---- views */

/* Shows VIEW from its beginning. */
static void begin_view(struct top *t, enum top_view view)
{
	t->view = view;
	t->sort = column_of(view);
	t->reversed = false;
	t->cursor = 0;
	t->first = 0;
	t->held = false;
	top_make(t);
}

/* Moves the cursor to ZONE, the function that the user came from, if it has a row; or to the row with
 * KEY, unless that is 0. */
static void put_cursor_on(struct top *t, uint32_t zone, uint64_t key)
{
	for (size_t i = 0; zone && i < t->row_count; i++)
		if (key ? t->rows[i].key == key : zone_of(t, &t->rows[i]) == zone) {
			t->cursor = i;
			hold_cursor(t);
			return;
		}
}

/* Of a finished profile: moves the cursor to ZONE, and shows who called it. */
static void show_from(struct top *t, uint32_t zone, uint64_t key)
{
	put_cursor_on(t, zone, key);
	const struct top_row *r = top_row(t);
	if (t->view != TOP_CALLERS || !zone || !r || r->mark != '+' || zone_of(t, r) != zone)
		return;
	opened_turn(&t->opened, r->key);
	top_make(t);
}

bool top_set_view(struct top *t, enum top_view view)
{
	uint32_t zone = top_row_zone(t);
	bool of_one = view == TOP_GRAPH || view == TOP_SOURCE, finished = top_is_finished(t);
	if (of_one && !zone && !t->zone) {
		message_say(t, "move to a function first");
		return false;
	}
	if (finished && (view != t->view || (of_one && zone && zone != t->zone)))
		trail_add(&t->trail, t);
	if (of_one && zone)
		t->zone = zone;
	bool reveals = view == TOP_TREE && finished && zone && t->kept.made;
	uint64_t key = reveals ? rows_reveal(t, zone) : 0;
	begin_view(t, view);
	if (of_one)
		put_cursor(t, TOP_OWN);
	else if (finished)
		show_from(t, zone, key);
	return true;
}

bool top_back(struct top *t)
{
	bool same;
	if (!trail_back(&t->trail, t, &same)) {
		message_say(t, "this is where the view began; q leaves it");
		return false;
	}
	if (!same)
		kept_forget(&t->kept);
	top_make(t);
	return true;
}

static bool choose(struct top *t, struct patterns *among, enum pattern_of of, const char *text)
{
	struct str err = {0};
	if (top_is_finished(t))
		trail_add(&t->trail, t);
	pattern_list_free(among);
	if (!pattern_list_add(among, of, text, &err))
		message_say(t, "%s", err.text);
	str_free(&err);
	kept_forget(&t->kept);
	begin_view(t, TOP_SELF);
	return true;
}

bool top_select(struct top *t)
{
	char number[16];
	const struct top_row *r = top_row(t);
	if (!r)
		return false;
	if (r->kind == TOP_THREAD) {
		snprintf(number, sizeof number, "%u", r->item);
		return choose(t, &t->threads, PATTERN_FUNC, number);
	}
	if (r->kind == TOP_FRAME)
		return top_show_frame(t, &t->follow->frames.list[r->item]);
	if (r->kind == TOP_GROUP && !r->item) {
		message_say(t, "that is what is in no group");
		return false;
	}
	if (r->kind == TOP_GROUP) {
		char *name = memory_text(r->name, strlen(r->name));
		choose(t, &t->groups, PATTERN_GROUP, name);
		free(name);
		return true;
	}
	return top_row_zone(t) && top_set_view(t, t->view == TOP_SOURCE ? TOP_SOURCE : TOP_GRAPH);
}

bool top_select_parent(struct top *t)
{
	const struct top_row *best = NULL;
	for (size_t i = 0; t->view == TOP_GRAPH && i < t->row_count; i++)
		if (t->rows[i].kind == TOP_CALLER && t->rows[i].item &&
		    (!best || t->rows[i].total_ns >= best->total_ns))
			best = &t->rows[i];
	if (!best) {
		if (t->view == TOP_GRAPH)
			message_say(t, "it has no caller");
		else
			top_set_view(t, TOP_SELF);
		return true;
	}
	t->cursor = (size_t)(best - t->rows);
	return top_set_view(t, TOP_GRAPH);
}

bool top_set_measure(struct top *t, enum measure measure)
{
	t->measure = measure;
	kept_forget(&t->kept);
	top_make(t);
	return true;
}

bool top_next_time(struct top *t)
{
	static const enum time_measure next[TIME_MEASURES] = {[TIME_OWN] = TIME_CPU,
							      [TIME_CPU] = TIME_WAIT,
							      [TIME_WAIT] = TIME_WALL,
							      [TIME_WALL] = TIME_OWN};
	struct view *v = &t->follow->view;
	enum time_measure shown = v->measure;
	if (t->measure == MEASURE_FRAME) {
		message_say(t, "the time of a frame is all that passed in it");
		return false;
	}
	do
		v->measure = next[v->measure];
	while (load_unknown_measure(&v->load, v->measure));
	if (v->measure == shown) {
		message_say(t, "this profile does not tell waits from time on a processor");
		return false;
	}
	if (t->history_zones)
		memset(t->history, 0, t->history_zones * TOP_HISTORY * sizeof *t->history);
	top_make(t);
	return true;
}

bool top_sort_by(struct top *t, enum top_column column)
{
	t->reversed = t->sort == column && !t->reversed;
	t->sort = column;
	top_make(t);
	return true;
}

bool top_sort_beside(struct top *t, int direction)
{
	const enum top_column *order = cells_order(t);
	int count = 0, at = 0;
	for (; order[count] != TOP_NAME; count++)
		if (order[count] == t->sort)
			at = count;
	count++;
	if (t->sort == TOP_NAME)
		at = count - 1;
	do
		at = (at + count + direction) % count;
	while (top_is_counter(order[at]) && !*cells_head(t, order[at]));
	return top_sort_by(t, order[at]);
}

/* ---- frames */

bool top_show_frame(struct top *t, const struct loader_piece *frame)
{
	struct str err = {0};
	kept_forget(&t->kept);
	/* From one frame to the next is no step: Esc leads back to the whole. */
	if (top_is_finished(t) && t->measure != MEASURE_FRAME)
		trail_add(&t->trail, t);
	bool ok = follow_frame(t->follow, frame, &err);
	if (ok) {
		t->measure = MEASURE_FRAME;
		begin_view(t, t->view == TOP_FRAMES ? TOP_TOTAL : t->view);
		if (t->view == TOP_GRAPH)
			put_cursor(t, TOP_OWN);
	} else {
		message_say(t, "%s", err.text);
	}
	str_free(&err);
	return ok;
}

bool top_slowest_frame(struct top *t)
{
	if (t->follow->frames.count)
		return top_show_frame(t, &t->follow->frames.list[0]);
	message_say(t, "no frames are kept: record with --frame=FUNCTION, or call zprof_frame()");
	return false;
}

bool top_next_frame(struct top *t, int direction)
{
	const struct follow *f = t->follow;
	const struct loader_piece *next = NULL;
	if (t->measure == MEASURE_FRAME && f->shown.number)
		next = frame_list_next(&f->frames, &f->shown, direction);
	else if (f->frames.count && direction < 0)
		/* The latest frame of the kind that the slowest frame is of. */
		next =
		    frame_list_next(&f->frames,
				    &(struct loader_piece){.reference = f->frames.list[0].reference,
							   .number = UINT64_MAX},
				    -1);
	if (next)
		return top_show_frame(t, next);
	message_say(t, "no %s frame is kept", direction < 0 ? "older" : "newer");
	return false;
}

/* ---- filters and search */

bool top_clear_filters(struct top *t)
{
	pattern_list_free(&t->threads);
	pattern_list_free(&t->functions);
	pattern_list_free(&t->groups);
	str_clear(&t->search);
	if (top_is_finished(t))
		t->measure = MEASURE_ALL;
	kept_forget(&t->kept);
	top_make(t);
	return true;
}

bool top_filter(struct top *t, const char *pattern)
{
	struct str err = {0};
	pattern_list_free(&t->functions);
	if (*pattern && !pattern_list_add_prefixed(&t->functions, pattern, &err))
		message_say(t, "%s", err.text);
	str_free(&err);
	top_make(t);
	return true;
}

bool top_search(struct top *t, bool next)
{
	const char *text = str_text(&t->search);
	for (size_t i = 0; *text && i < t->row_count; i++) {
		size_t at = (t->cursor + i + next) % t->row_count;
		if (!strcasestr(t->rows[at].name, text))
			continue;
		t->cursor = at;
		hold_cursor(t);
		return true;
	}
	if (*text)
		message_say(t, "no row here has '%s'", text);
	return false;
}
