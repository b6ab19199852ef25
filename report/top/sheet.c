/* SPDX-License-Identifier: MIT */
/* sheet.c - see sheet.h. */
#define _GNU_SOURCE
#include "report/top/sheet.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/core/base/memory.h"
#include "report/core/base/text_width.h"
#include "report/core/base/visible.h"
#include "report/top/cells.h"
#include "report/top/keys.h"
#include "report/top/sheet_head.h"
#include "report/top/widths.h"
#include "report/cxx/short_name.h"

#define TIMES_HEIGHT 30 /* screens at least this high show a line about times */
#define GRAPH_HEIGHT 16 /* screens at least this high show the history graph */
#define KEYS_HEIGHT  14

static struct sheet_line *add_line(struct sheet *s, enum sheet_style style)
{
	if (s->count == s->room)
		s->lines = memory_room(s->lines, s->count, &s->room, sizeof *s->lines);
	struct sheet_line *l = &s->lines[s->count++];
	str_clear(&l->text);
	l->style = style;
	l->cursor = false;
	return l;
}

/* Cuts a line that is wider than WIDTH, and marks the cut. */
static void cut(struct str *line, int width)
{
	int sum = 0, columns;
	if (!width || !line->text || text_width(line->text) <= width)
		return;
	char *at = line->text;
	while (*at) {
		size_t n = text_width_next(at, &columns);
		if (sum + columns > width - 1)
			break;
		sum += columns;
		at += n;
	}
	*at = 0;
	line->used = (size_t)(at - line->text);
	str_add(line, "~");
}

/* ---- columns */

/* Adds WORDS behind the column AT, where names end. */
static void add_place(struct sheet_line *l, int at, const char *words)
{
	int gap = at - text_width(str_text(&l->text));
	str_add(&l->text, "%*s  %s", gap > 0 ? gap : 0, "", words);
}

static void add_heads(struct sheet *s, const struct top *t, const int *widths, int width)
{
	struct sheet_line *l = add_line(s, SHEET_HEAD);
	int end = 0;
	s->head_line = (int)s->count - 1;
	memset(s->column_end, 0, sizeof s->column_end);
	for (const enum top_column *at = cells_order(t); *at != TOP_NAME; at++) {
		enum top_column i = *at;
		const char *head = cells_head(t, i);
		bool sorted = t->sort == i && *head && t->view != TOP_SOURCE;
		s->column_end[i] = widths[i] ? end += widths[i] : 0;
		if (widths[i])
			str_add(&l->text, "%*s%s%s", widths[i] - text_width(head) - sorted, "",
				sorted ? "*" : "", head);
	}
	str_add(&l->text, "%s%s", t->sort == TOP_NAME ? "*" : "", cells_head(t, TOP_NAME));
	s->column_end[TOP_NAME] = width ? width : end + WIDTHS_NAME;
	if (widths[TOP_PLACE])
		add_place(l, end + widths[TOP_NAME], cells_head(t, TOP_PLACE));
	cut(&l->text, width);
}

/* Whether a row has the name of a function, which can be shortened. */
static bool is_function(const struct top *t, const struct top_row *r)
{
	return r->item && r->kind <= TOP_CONTEXT && t->view != TOP_SOURCE;
}

static const char *state_of(const struct top *t, const struct top_row *r)
{
	bool open = r->open && t->measure != MEASURE_FRAME;
	if (!is_function(t, r))
		return open ? " (open)" : "";
	return view_state(&t->follow->view, r->item, open);
}

static void add_name(struct sheet_line *l, const struct top *t, const struct top_row *r, int room)
{
	struct str shown = {0}, fitting = {0};
	int indent = (int)(r->depth < 40 ? r->depth : 40) * 2;
	bool marked = top_is_tree(t) || t->view == TOP_GRAPH;
	if (room && indent > room / 2)
		indent = room / 2;
	str_add(&l->text, "%*s", indent, "");
	if (marked)
		str_add(&l->text, "%c", r->mark);
	visible_add(&shown, r->name);
	room -= indent + marked;
	if (is_function(t, r) && room > 0 && text_width(shown.text) > room)
		short_name_fit(&fitting, shown.text, NULL, room);
	str_add(&l->text, "%s%s", fitting.used ? fitting.text : str_text(&shown), state_of(t, r));
	str_free(&shown);
	str_free(&fitting);
}

static enum sheet_style style_of(const struct top_row *r)
{
	if (r->kind == TOP_OWN)
		return SHEET_STRONG;
	if (r->trend > CELLS_TREND)
		return SHEET_RISING;
	return r->trend < -CELLS_TREND ? SHEET_FALLING : SHEET_PLAIN;
}

static void add_row(struct sheet *s, const struct top *t, const struct top_row *r,
		    const int *widths, int width)
{
	char text[CELLS_ROOM];
	struct sheet_line *l = add_line(s, style_of(r));
	for (const enum top_column *at = cells_order(t); *at != TOP_NAME; at++) {
		enum top_column i = *at;
		const char *cell = widths[i] ? cells_text(t, r, i, text) : "";
		int gap = widths[i] - text_width(cell);
		bool low = i == TOP_TOTAL_TIME && r->low && *cell && gap > 2;
		if (i == TOP_TREND)
			str_add(&l->text, " %-*s", widths[i] - 1, cell);
		else
			str_add(&l->text, "%*s%s%s", gap - (low ? 2 : 0), "",
				low ? VIEW_AT_LEAST : "", cell);
	}
	int room = width ? width - widths_sum(widths) : 0;
	add_name(l, t, r, widths[TOP_PLACE] ? widths[TOP_NAME] : room);
	if (widths[TOP_PLACE]) {
		struct str place = {0};
		widths_place(t, r, &place);
		add_place(l, width - room + widths[TOP_NAME], str_text(&place));
		str_free(&place);
	}
	cut(&l->text, width);
}

/* ---- the whole */

static void add_text(struct sheet *s, struct str *text, enum sheet_style style, int width)
{
	struct sheet_line *l = add_line(s, style);
	str_add(&l->text, "%s", str_text(text));
	cut(&l->text, width);
	str_clear(text);
}

static void add_rows(struct sheet *s, struct top *t, int width, int lines)
{
	int widths[TOP_COLUMNS];
	t->page = lines > 0 ? (size_t)lines : t->row_count;
	if (t->cursor < t->first)
		t->first = t->cursor;
	if (t->cursor >= t->first + t->page)
		t->first = t->cursor - t->page + 1;
	if (t->first && t->first + t->page > t->row_count)
		t->first = t->row_count > t->page ? t->row_count - t->page : 0;
	widths_choose(t, width, widths);
	add_heads(s, t, widths, width);
	s->first_line = (int)s->count;
	size_t end = t->first + t->page;
	for (size_t i = t->first; i < end && i < t->row_count; i++) {
		add_row(s, t, &t->rows[i], widths, width);
		s->lines[s->count - 1].cursor = lines > 0 && i == t->cursor;
	}
	s->rows = (int)s->count - s->first_line;
	if (!t->row_count) {
		struct str none = {0};
		str_add(&none, "%s", sheet_head_nothing(t));
		add_text(s, &none, SHEET_FAINT, width);
		str_free(&none);
	}
	while (lines > 0 && (int)s->count < s->first_line + lines)
		add_line(s, SHEET_PLAIN);
}

/* Adds the help on keys, in two columns if one would be too long. */
static void add_help(struct sheet *s, const struct top *t, int width, int height)
{
	struct str text = {0};
	bool finished = top_is_finished(t);
	size_t count = keys_help_count(finished), lines = height > 2 ? (size_t)height - 2 : 1;
	size_t columns = width >= 72 && count > lines ? 2 : 1;
	size_t each = (count + columns - 1) / columns;
	str_add(&text, "keys of zprof %s; any key goes on", finished ? "view" : "top");
	add_text(s, &text, SHEET_TITLE, width);
	for (size_t i = 0; i < each && i < lines; i++) {
		for (size_t c = 0; c < columns; c++)
			keys_help(&text, finished, i + c * each, columns > 1 && !c ? width / 2 : 0);
		add_text(s, &text, SHEET_PLAIN, width);
	}
	str_free(&text);
}

/* Adds the head of a report and what was lost, whole. */
static void add_telling(struct sheet *s, struct top *t, int width, int height)
{
	struct view v = t->follow->view;
	struct str text = {0};
	v.terminal.width = width;
	char *parts[] = {view_head_text(&v, &t->kept.derived), view_losses_text(&v)};
	str_add(&text, "about this profile; any key goes on");
	add_text(s, &text, SHEET_TITLE, width);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		for (char *at = parts[i], *line; (line = strsep(&at, "\n")) && at;) {
			str_add(&text, "%s", line);
			if ((int)s->count < height)
				add_text(s, &text, SHEET_PLAIN, width);
		}
		free(parts[i]);
	}
	str_free(&text);
}

/* Adds the lines above the rows. */
static void add_top(struct sheet *s, struct top *t, int width, bool finished, bool times)
{
	struct str text = {0};
	if (finished)
		sheet_head_report(&text, t, 0);
	else
		sheet_head_title(&text, t, width);
	add_text(s, &text, SHEET_TITLE, width);
	if (finished)
		sheet_head_report(&text, t, 1);
	else
		sheet_head_sums(&text, t);
	add_text(s, &text, SHEET_PLAIN, width);
	if (times) {
		sheet_head_report(&text, t, 2);
		add_text(s, &text, SHEET_PLAIN, width);
	}
	sheet_head_shown(&text, t);
	add_text(s, &text, SHEET_PLAIN, width);
	str_free(&text);
}

void sheet_make(struct sheet *s, struct top *t, int width, int height, bool unicode)
{
	struct str text = {0};
	bool keys = height >= KEYS_HEIGHT, finished = top_is_finished(t);
	bool graph = height >= GRAPH_HEIGHT, times = finished && height >= TIMES_HEIGHT;
	s->count = 0;
	if (t->helping) {
		add_help(s, t, width, height);
		return;
	}
	if (t->telling) {
		add_telling(s, t, width, height);
		return;
	}
	add_top(s, t, width, finished, times);
	int rows = height ? height - 4 - 1 - times - graph - keys : 0;
	add_rows(s, t, width, height && rows < 1 ? 1 : rows);
	if (graph && finished)
		sheet_head_name(&text, t, width, false);
	else if (graph)
		sheet_head_history(&text, t, width, unicode);
	if (graph)
		add_text(s, &text, SHEET_FAINT, width);
	sheet_head_foot(&text, t, width, graph && finished);
	if (height || text.used)
		add_text(s, &text, t->prompt || t->message.used ? SHEET_STRONG : SHEET_PLAIN,
			 width);
	if (keys) {
		sheet_head_keys(&text, t, width);
		add_text(s, &text, SHEET_FAINT, width);
	}
	str_free(&text);
}

void sheet_free(struct sheet *s)
{
	for (size_t i = 0; i < s->room; i++)
		str_free(&s->lines[i].text);
	free(s->lines);
	*s = (struct sheet){0};
}

enum top_column sheet_column_at(const struct sheet *s, int x)
{
	enum top_column nearest = TOP_COLUMNS;
	for (int i = 0; i < TOP_COLUMNS; i++)
		if (x < s->column_end[i] &&
		    (nearest == TOP_COLUMNS || s->column_end[i] < s->column_end[nearest]))
			nearest = (enum top_column)i;
	return nearest;
}
