/* SPDX-License-Identifier: MIT */
/* frame_list.c - see frame_list.h. */
#include "report/top/frame_list.h"

#include <stdlib.h>

static int slowest_first(const void *left, const void *right)
{
	const struct loader_piece *a = left, *b = right;
	if (a->ranked_ns != b->ranked_ns)
		return a->ranked_ns < b->ranked_ns ? 1 : -1;
	return (a->number < b->number) - (a->number > b->number);
}

void frame_list_make(struct loader_pieces *l, const struct profile *p, const void *bytes, size_t n,
		     struct zones *zones)
{
	frame_list_free(l);
	loader_list(l, p, bytes, n, zones);
	if (l->count)
		qsort(l->list, l->count, sizeof *l->list, slowest_first);
}

void frame_list_free(struct loader_pieces *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->list[i].kind);
	free(l->list);
	*l = (struct loader_pieces){0};
}

const struct loader_piece *frame_list_next(const struct loader_pieces *l,
					   const struct loader_piece *from, int direction)
{
	const struct loader_piece *best = NULL;
	for (size_t i = 0; i < l->count; i++) {
		const struct loader_piece *k = &l->list[i];
		bool beyond = direction < 0 ? k->number < from->number : k->number > from->number;
		bool nearer =
		    !best || (direction < 0 ? k->number > best->number : k->number < best->number);
		if (k->reference == from->reference && beyond && nearer)
			best = k;
	}
	return best;
}
