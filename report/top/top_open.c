/* SPDX-License-Identifier: MIT */
/* top_open.c - see top.h: contexts, and chains of callers, are opened and closed. */
#include "report/top/top.h"

/* Moves the cursor to the caller of the context under the cursor, to be closed there. */
static bool close_outer(struct top *t)
{
	const struct top_row *r = top_row(t);
	size_t at = t->cursor;
	while (r && at && t->rows[at].depth >= r->depth)
		at--;
	if (!r || t->rows[at].depth >= r->depth)
		return false;
	top_move(t, (long)at - (long)t->cursor);
	return true;
}

bool top_open(struct top *t, bool open)
{
	const struct top_row *r = top_row(t);
	if (!top_is_tree(t) || !r)
		return t->view == TOP_GRAPH && open && top_select(t);
	if (r->mark == (open ? '+' : '-')) {
		opened_turn(&t->opened, r->key);
		top_make(t);
		return true;
	}
	return !open && close_outer(t);
}

bool top_open_all(struct top *t)
{
	uint64_t key = t->cursor_key;
	size_t cursor = t->cursor;
	if (!top_is_tree(t))
		return false;
	for (const struct top_row *r = top_row(t); r && r->mark != ' '; r = top_row(t)) {
		uint32_t depth = r->depth;
		if (r->mark == '+') {
			opened_turn(&t->opened, r->key);
			top_make(t);
		}
		if (t->cursor + 1 >= t->row_count || t->rows[t->cursor + 1].depth <= depth)
			break;
		top_move(t, 1);
	}
	t->cursor = cursor;
	t->cursor_key = key;
	return true;
}
