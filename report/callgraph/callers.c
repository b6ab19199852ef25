/* SPDX-License-Identifier: MIT */
/* callers.c - see callers.h. */
#define _GNU_SOURCE
#include "report/callgraph/callers.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

/* Sets the totals of contexts within a call of the same function to 0. Nodes are visited as a walk
 * over the tree goes, because only a path knows which zones it is in. */
static void keep_outermost(struct callers *c)
{
	const struct tree *t = c->tree;
	struct tree_children children = tree_children(t);
	uint32_t *on_path = memory_zeroed(c->zone_count, sizeof *on_path);
	for (size_t i = 0; i < t->thread_count; i++) {
		uint32_t root = t->threads[i].root, at = root;
		for (;;) {
			uint32_t next = children.first[at];
			while (next == TREE_NONE && at != root) {
				on_path[t->nodes[at].zone]--;
				next = children.next[at];
				at = t->nodes[at].parent;
			}
			if (next == TREE_NONE)
				break;
			at = next;
			if (on_path[t->nodes[at].zone]++)
				c->totals[at] = (struct cost){0};
		}
	}
	free(on_path);
	tree_children_free(&children);
}

static bool is_root(const struct tree *t, uint32_t node)
{
	return t->nodes[node].parent == node;
}

static uint32_t zone_at(const struct tree *t, uint32_t node)
{
	return is_root(t, node) ? CALLERS_OUTSIDE : t->nodes[node].zone;
}

/* Adds a row for the COUNT contexts from FIRST on, which all have reached ZONE. */
static uint32_t add_row(struct callers *c, uint32_t zone, size_t first, size_t count)
{
	struct callers_row row = {.zone = zone,
				  .first = TREE_NONE,
				  .next = TREE_NONE,
				  .contexts = first,
				  .context_count = count};
	for (size_t i = first; i < first + count; i++) {
		uint32_t node = c->contexts[i].node;
		row.calls += c->tree->nodes[node].calls;
		row.low = row.low || c->low[node];
		cost_add(&row.self, &c->tree->nodes[node].self);
		cost_add(&row.total, &c->totals[node]);
	}
	*memory_next(c->rows, c->row_count, c->row_room) = row;
	return (uint32_t)(c->row_count - 1);
}

static int by_zone(const void *left, const void *right, void *tree)
{
	const struct callers_context *a = left, *b = right;
	int order = memory_order(zone_at(tree, a->at), zone_at(tree, b->at));
	return order ? order : memory_order(a->node, b->node);
}

/* Sorts the contexts from FIRST on by the zone that they have reached, and gives each zone a row. The
 * rows are linked; the first is returned. */
static uint32_t divide(struct callers *c, size_t first)
{
	const struct tree *t = c->tree;
	uint32_t head = TREE_NONE, last = TREE_NONE;
	size_t end = c->context_count;
	if (end > first)
		qsort_r(c->contexts + first, end - first, sizeof *c->contexts, by_zone, (void *)t);
	for (size_t from = first, to; from < end; from = to) {
		uint32_t zone = zone_at(t, c->contexts[from].at);
		for (to = from; to < end && zone_at(t, c->contexts[to].at) == zone; to++)
			;
		uint32_t row = add_row(c, zone, from, to - from);
		if (last == TREE_NONE)
			head = row;
		else
			c->rows[last].next = row;
		last = row;
	}
	return head;
}

static void add_context(struct callers *c, uint32_t node, uint32_t at)
{
	*memory_next(c->contexts, c->context_count, c->context_room) =
	    (struct callers_context){node, at};
}

void callers_init(struct callers *c, const struct tree *t, size_t zone_count)
{
	*c = (struct callers){.tree = t, .zone_count = zone_count};
	c->totals = tree_totals(t);
	c->low = memory_zeroed(t->count, sizeof *c->low);
	for (size_t i = t->count; i-- > 0;) {
		c->low[i] |= t->nodes[i].low;
		c->low[t->nodes[i].parent] |= c->low[i];
	}
	keep_outermost(c);
	c->roots = memory_resize(NULL, zone_count, sizeof *c->roots);
	for (size_t i = 0; i < zone_count; i++)
		c->roots[i] = TREE_NONE;
	for (uint32_t i = 0; i < t->count; i++)
		if (!is_root(t, i))
			add_context(c, i, i);
	for (uint32_t row = divide(c, 0); row != TREE_NONE; row = c->rows[row].next) {
		c->rows[row].above = row;
		c->roots[c->rows[row].zone] = row;
	}
}

void callers_free(struct callers *c)
{
	free(c->totals);
	free(c->low);
	free(c->rows);
	free(c->contexts);
	free(c->roots);
	*c = (struct callers){0};
}

void callers_open(struct callers *c, uint32_t row)
{
	const struct callers_row *of = &c->rows[row];
	size_t from = of->contexts, count = of->context_count, first = c->context_count;
	if (of->opened)
		return;
	if (of->zone != CALLERS_OUTSIDE)
		for (size_t i = from; i < from + count; i++)
			add_context(c, c->contexts[i].node,
				    c->tree->nodes[c->contexts[i].at].parent);
	uint32_t head = divide(c, first);
	c->rows[row].first = head;
	c->rows[row].opened = true;
	for (uint32_t i = head; i != TREE_NONE; i = c->rows[i].next) {
		c->rows[i].above = row;
		c->rows[i].depth = c->rows[row].depth + 1;
	}
}

struct ordering {
	const struct callers *c;
	int (*order)(const struct callers_row *a, const struct callers_row *b, const void *context);
	const void *context;
};

static int by_order(const void *left, const void *right, void *ordering)
{
	const struct ordering *o = ordering;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = o->order(&o->c->rows[a], &o->c->rows[b], o->context);
	return order ? order : memory_order(a, b);
}

void callers_sort(struct callers *c, uint32_t row,
		  int (*order)(const struct callers_row *a, const struct callers_row *b,
			       const void *context),
		  const void *context)
{
	struct ordering ordering = {c, order, context};
	uint32_t *list = NULL;
	size_t count = 0, room = 0;
	for (uint32_t i = c->rows[row].first; i != TREE_NONE; i = c->rows[i].next)
		*memory_next(list, count, room) = i;
	if (count > 1) {
		qsort_r(list, count, sizeof *list, by_order, &ordering);
		c->rows[row].first = list[0];
		for (size_t i = 0; i < count; i++)
			c->rows[list[i]].next = i + 1 < count ? list[i + 1] : TREE_NONE;
	}
	free(list);
}
