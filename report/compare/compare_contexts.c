/* SPDX-License-Identifier: MIT */
/* compare_contexts.c - see compare_contexts.h. */
#include "report/compare/compare_contexts.h"

#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/compare/compare_samples.h"

/* While samples are added up. */
struct adding {
	struct compare_contexts *to;
	struct compare *c;
	struct mean_sum *sums; /* in the order of the values */
};

/* The node of the joined tree for each node of FROM; missing nodes are made. free() the list. */
static uint32_t *join(struct tree *to, const struct compare *c, const struct tree *from)
{
	uint32_t *map = memory_resize(NULL, from->count, sizeof *map);
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		map[i] =
		    n->parent == i ? 0 : tree_child(to, map[n->parent], c->match.row_of[n->zone]);
	}
	return map;
}

static void add_context(const struct adding *a, uint32_t node, size_t side, uint64_t calls,
			const struct cost *self, const struct cost *total)
{
	const struct compare *c = a->c;
	struct mean_sample of[COMPARE_COUNTERS] = {0};
	struct cost own = view_shown(c->v, self), all = view_shown(c->v, total);
	mean_measure(&of[COMPARE_CALLS], (double)calls, 0, 0, c->share);
	mean_measure(&of[COMPARE_SELF], own.ns, cost_self_bar(&own), own.variance, c->share);
	mean_measure(&of[COMPARE_TOTAL], all.ns, cost_total_bar(&all), all.variance, c->share);
	for (size_t m = 0; m < COMPARE_COUNTERS; m++)
		mean_add(&a->sums[(node * c->side_count + side) * COMPARE_COUNTERS + m], &of[m]);
	a->to->sides[node] |= 1ull << side;
}

static void add_sample(void *context, size_t side, struct tree *sample)
{
	struct adding *a = context;
	struct tree *tree = &a->to->tree;
	uint32_t *map = join(tree, a->c, sample);
	struct cost *selves = memory_zeroed(tree->count, sizeof *selves);
	struct cost *totals = memory_zeroed(tree->count, sizeof *totals);
	uint64_t *calls = memory_zeroed(tree->count, sizeof *calls);
	bool *there = memory_zeroed(tree->count, sizeof *there);
	for (size_t i = 0; i < sample->count; i++) {
		there[map[i]] = true;
		calls[map[i]] += sample->nodes[i].calls;
		cost_add(&selves[map[i]], &sample->nodes[i].self);
		cost_add(&totals[map[i]], &sample->nodes[i].self);
	}
	for (size_t i = tree->count - 1; i > 0; i--)
		cost_add(&totals[tree->nodes[i].parent], &totals[i]);
	for (uint32_t i = 0; i < tree->count; i++)
		if (there[i])
			add_context(a, i, side, calls[i], &selves[i], &totals[i]);
	free(map);
	free(selves);
	free(totals);
	free(calls);
	free(there);
}

void compare_contexts_make(struct compare_contexts *t, struct compare *c)
{
	*t = (struct compare_contexts){0};
	tree_add_thread(&t->tree, &(struct tree_thread){.count = 1});
	free(join(&t->tree, c, c->v->tree));
	size_t cells = t->tree.count * c->side_count * COMPARE_COUNTERS;
	struct adding a = {t, c, memory_zeroed(cells, sizeof *a.sums)};
	t->sides = memory_zeroed(t->tree.count, sizeof *t->sides);
	t->values = memory_resize(NULL, cells, sizeof *t->values);
	compare_samples_each(c, add_sample, &a);
	for (size_t i = 0; i < cells; i++)
		t->values[i] =
		    mean_of(&a.sums[i], c->sides[i / COMPARE_COUNTERS % c->side_count].samples);
	free(a.sums);
}

void compare_contexts_free(struct compare_contexts *t)
{
	tree_free(&t->tree);
	free(t->sides);
	free(t->values);
	*t = (struct compare_contexts){0};
}
