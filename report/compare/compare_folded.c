/* SPDX-License-Identifier: MIT */
/*
 * compare_folded.c - see compare_folded.h: puts the contexts of both sides into one tree, whose
 * zones are rows of the match.
 */
#include "report/compare/compare_folded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/base/visible.h"

/* Prints a name without the characters that have a meaning between names. */
static void put_name(FILE *out, const char *name)
{
	struct str plain = {0};
	visible_add(&plain, name);
	for (char *at = plain.text; at && *at; at++)
		fputc(*at == ';' ? ':' : *at, out);
	str_free(&plain);
}

static void put_path(const struct compare *c, const struct tree *t, uint32_t at)
{
	FILE *out = c->v->terminal.out;
	size_t used = 0, room = 0;
	uint32_t *path = NULL;
	for (; t->nodes[at].parent != at; at = t->nodes[at].parent) {
		path = memory_room(path, used, &room, sizeof *path);
		path[used++] = t->nodes[at].zone;
	}
	while (used--) {
		const char *name = path[used] ? view_zone_name(c->v, c->match.rows[path[used]].zone)
					      : VIEW_OVERFLOW;
		put_name(out, name);
		fputc(used ? ';' : ' ', out);
	}
	free(path);
}

void compare_folded_print(const struct compare *c)
{
	FILE *out = c->v->terminal.out;
	const struct tree *from = c->v->tree;
	struct tree to = {0};
	uint32_t *map = memory_resize(NULL, from->count, sizeof *map);
	tree_add_thread(&to, &(struct tree_thread){.count = 1});
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		map[i] =
		    n->parent == i ? 0 : tree_child(&to, map[n->parent], c->match.row_of[n->zone]);
	}
	double *values = memory_zeroed(to.count * 2, sizeof *values);
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		uint32_t process = from->threads[n->thread].process;
		size_t side = process >= c->sides[0].set->end;
		double value = c->v->counts_only ? (double)n->calls : view_shown(c->v, &n->self).ns;
		values[map[i] * 2 + side] += value / (double)c->sides[side].samples;
	}
	for (uint32_t i = 1; i < to.count; i++) {
		double before = fmax(0, round(values[i * 2])),
		       after = fmax(0, round(values[i * 2 + 1]));
		if (before <= 0 && after <= 0)
			continue;
		put_path(c, &to, i);
		fprintf(out, "%.0f %.0f\n", before, after);
	}
	free(values);
	free(map);
	tree_free(&to);
}
