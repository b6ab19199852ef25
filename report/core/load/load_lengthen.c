/* SPDX-License-Identifier: MIT */
/* load_lengthen.c - see load.h: the doubt about waits of one profile. */
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/core/times/lengthened.h"
#include "report/core/load/load_parts.h"

/* What each thread of a profile did on a processor. */
struct threads {
	struct lengthened_by *list; /* by index into the tree's threads, from FIRST on */
	size_t first, count;
	struct lengthened_by all;
};

static struct threads add_up(const struct loading *g, size_t first)
{
	const struct load *l = g->l;
	struct threads t = {.first = l->tree.nodes[first].thread};
	t.count = l->tree.thread_count - t.first;
	t.list = memory_zeroed(t.count, sizeof *t.list);
	for (size_t i = first; i < l->tree.count; i++) {
		const struct cost *c = &l->tree.nodes[i].self;
		struct lengthened_by one = {.program_ns = c->cpu_ns,
					    .doubt_ns = c->all_error_ns,
					    .stood_ns = c->preempted_ns};
		lengthened_add(&t.list[l->tree.nodes[i].thread - t.first], &one);
	}
	for (size_t i = 0; i < g->p->node_count; i++) {
		struct lengthened_by one = {.hooks_ns = estimate_hooks_ns(&g->estimate, i)};
		if (g->map[i] != TREE_NONE)
			lengthened_add(&t.list[l->tree.nodes[g->map[i]].thread - t.first], &one);
	}
	for (size_t i = 0; i < t.count; i++)
		lengthened_add(&t.all, &t.list[i]);
	return t;
}

/* A context that waits. */
struct waiting {
	uint32_t thread, zone, node;
};

static int by_zone(const void *left, const void *right)
{
	const struct waiting *a = left, *b = right;
	return memory_order(a->thread, b->thread) ?: memory_order(a->zone, b->zone);
}

static size_t find_waiting(const struct load *l, size_t first, struct waiting *list)
{
	size_t count = 0;
	for (size_t i = first; i < l->tree.count; i++) {
		const struct node *n = &l->tree.nodes[i];
		if (n->self.wait_ns > 0 && !l->zones.list[n->zone].alone)
			list[count++] = (struct waiting){n->thread, n->zone, (uint32_t)i};
	}
	memory_sort(list, count, by_zone);
	return count;
}

/* Widens the bars of a thread's waits in one zone: of each context by the same part. */
static void widen(struct load *l, const struct waiting *list, size_t count,
		  const struct lengthened_by *others)
{
	double ns = 0, waits = 0;
	for (size_t i = 0; i < count; i++) {
		ns += l->tree.nodes[list[i].node].self.wait_ns;
		waits += (double)l->tree.nodes[list[i].node].self.waits;
	}
	double part = lengthened_ns(ns, waits, others) / ns;
	for (size_t i = 0; i < count; i++) {
		struct cost *self = &l->tree.nodes[list[i].node].self;
		double most = self->wait_ns * part;
		self->lengthened_ns += most;
		self->wait_error_ns += most;
		self->error_ns += most;
		self->all_error_ns += most;
	}
}

void load_lengthen_waits(struct loading *g, size_t first)
{
	struct load *l = g->l;
	if (!g->estimate.seen_in || l->raw || first == l->tree.count)
		return;
	struct threads t = add_up(g, first);
	struct waiting *list = memory_resize(NULL, l->tree.count - first, sizeof *list);
	size_t count = find_waiting(l, first, list);
	for (size_t i = 0, next; i < count; i = next) {
		const struct lengthened_by *own = &t.list[list[i].thread - t.first];
		struct lengthened_by others = lengthened_others(&t.all, own);
		for (next = i + 1; next < count && !by_zone(&list[i], &list[next]); next++)
			continue;
		widen(l, &list[i], next - i, &others);
	}
	free(list);
	free(t.list);
}
