/* SPDX-License-Identifier: MIT */
/* widths.c - see widths.h. */
#include "report/top/widths.h"

#include <string.h>

#include "report/core/base/text_width.h"

/* The least width of a name of a finished profile where other columns can be dropped; */
#define NAME_FINISHED 24
#define NAME_LONG     32 /* if there are longer names; */
#define NAME_INDENTED 38 /* where names are indented; */
#define NAME_SOURCE   42 /* of a line of source */
#define PLACE_NAME    44 /* the least width of a name that a place stands behind */
/* On a narrower screen, names are shortened further, so that the time stays beside its share. */
#define NARROW          80
#define INDENTED_NARROW 30

/* Whether a column is shown: a cell or the head has something to say in it. */
static bool is_used(const struct top *t, enum top_column column)
{
	char text[CELLS_ROOM];
	if ((column == TOP_TREND && !top_is_finished(t)) ||
	    (!t->row_count && !cells_column(t, column)->drop))
		return true;
	for (size_t i = 0; i < t->row_count; i++)
		if (*cells_text(t, &t->rows[i], column, text))
			return true;
	return false;
}

static int width_of(const struct top *t, enum top_column column)
{
	char text[CELLS_ROOM];
	int width = cells_column(t, column)->least, head = text_width(cells_head(t, column)) + 2;
	width = head > width ? head : width;
	for (size_t i = 0; i < t->row_count; i++) {
		int cell = text_width(cells_text(t, &t->rows[i], column, text)) + 1;
		width = cell > width ? cell : width;
	}
	return width;
}

int widths_sum(const int *widths)
{
	int sum = 0;
	for (int i = 0; i < TOP_NAME; i++)
		sum += widths[i];
	return sum;
}

/* Whether a place stands behind each name: where a row is one function. */
static bool has_places(const struct top *t)
{
	return top_is_finished(t) &&
	       (t->view == TOP_SELF || t->view == TOP_TOTAL || t->view == TOP_GRAPH);
}

void widths_place(const struct top *t, const struct top_row *r, struct str *place)
{
	str_clear(place);
	if (r->item)
		view_place(&t->follow->view.load.zones.list[r->item], place);
}

/* Divides the ROOM between names and places, as the rows on the screen need it; names come first. */
static void choose_place(const struct top *t, int room, int *widths)
{
	struct str place = {0};
	int names = 0, places = 0;
	for (size_t i = t->first; i < t->first + t->page && i < t->row_count; i++) {
		const struct top_row *r = &t->rows[i];
		int name = text_width(r->name) + (int)r->depth * 2 + 2;
		widths_place(t, r, &place);
		int all = text_width(str_text(&place));
		names = name > names ? name : names;
		places = all > places ? all : places;
	}
	str_free(&place);
	int left = room - places - 2;
	if (!places || left < (names < PLACE_NAME ? names : PLACE_NAME))
		return;
	widths[TOP_NAME] = names < left ? names : left;
	widths[TOP_PLACE] = places;
}

static int least_name(const struct top *t, int width)
{
	int least = NAME_FINISHED;
	bool narrow = width && width < NARROW;
	if (!top_is_finished(t))
		return WIDTHS_NAME;
	if (t->view == TOP_SOURCE)
		return NAME_SOURCE;
	if (top_is_tree(t))
		return narrow ? INDENTED_NARROW : NAME_INDENTED;
	if (narrow)
		return NAME_FINISHED;
	for (size_t i = t->first; i < t->first + t->page && i < t->row_count; i++) {
		int name = text_width(t->rows[i].name);
		least = name > least ? name : least;
	}
	return least < NAME_LONG ? least : NAME_LONG;
}

void widths_choose(const struct top *t, int width, int *widths)
{
	const int least = least_name(t, width);
	memset(widths, 0, TOP_COLUMNS * sizeof *widths);
	for (const enum top_column *at = cells_order(t); *at != TOP_NAME; at++)
		widths[*at] = *at == TOP_TREND && top_is_finished(t) ? 2
			      : is_used(t, *at)                      ? width_of(t, *at)
								     : 0;
	for (int drop = CELLS_DROPS; width && drop && widths_sum(widths) + least > width; drop--)
		for (int i = 0; i < TOP_NAME; i++)
			if (cells_drop(t, (enum top_column)i) == drop)
				widths[i] = 0;
	if (has_places(t) && width)
		choose_place(t, width - widths_sum(widths), widths);
}
