/* SPDX-License-Identifier: MIT */
/* fold.c - see fold.h. */
#include "report/core/tree/fold.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

struct thread_key {
	uint32_t part;
	const char *name;
};

static bool same_thread(const void *context, uint32_t item, const void *key)
{
	const struct tree *t = context;
	const struct thread_key *k = key;
	return t->threads[item].process == k->part && !strcmp(t->threads[item].name, k->name);
}

/* The root of the thread with that name in a part. */
static uint32_t find_root(struct fold *f, const struct tree_thread *t, uint32_t part)
{
	struct thread_key key = {part, t->name};
	uint64_t hash = lookup_hash_text(t->name, part);
	uint32_t item = lookup_find(&f->by_name, hash, same_thread, &f->tree, &key);
	if (item == LOOKUP_NONE) {
		struct tree_thread new = *t;
		new.process = part;
		item = tree_add_thread(&f->tree, &new);
		lookup_add(&f->by_name, hash, item);
	} else {
		f->tree.threads[item].count += t->count;
	}
	return f->tree.threads[item].root;
}

void fold_add(struct fold *f, const struct tree *from, const uint32_t *part_of)
{
	uint32_t *map = memory_resize(NULL, from->count, sizeof *map);
	for (size_t i = 0; i < from->thread_count; i++)
		map[from->threads[i].root] =
		    find_root(f, &from->threads[i], part_of[from->threads[i].process]);
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		if (n->parent != i)
			map[i] = tree_child(&f->tree, map[n->parent], n->zone);
		struct node *to = &f->tree.nodes[map[i]];
		uint32_t open = (uint32_t)to->open + n->open;
		to->open = open < UINT16_MAX ? (uint16_t)open : UINT16_MAX;
		to->low |= n->low;
		to->calls += n->calls;
		cost_add(&to->self, &n->self);
		visits_add(&to->visits, &n->visits);
		tree_add_calls(&f->tree, map[i], from, n, true);
	}
	free(map);
}

void fold_free(struct fold *f)
{
	tree_free(&f->tree);
	lookup_free(&f->by_name);
}
