/* SPDX-License-Identifier: MIT */
/*
 * rows_tree.c - the rows of views whose rows are opened one by one: contexts, and chains of callers
 * (report/callgraph/callers.h).
 */
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/top/rows.h"
#include "report/top/rows_making.h"

/* Adds the rows one level below OF, which is open. */
typedef void add_below(struct making *m, const struct top_row *of);

/* Sorts the rows from FIRST on, and adds below each open one those of the next level. Recursion is
 * only as deep as the user has opened rows. */
static void add_opened(struct making *m, size_t first, add_below *below)
{
	struct top *t = m->t;
	size_t count = t->row_count - first;
	struct top_row *rows = memory_resize(NULL, count, sizeof *rows);
	rows_sort(t, first);
	if (count)
		memcpy(rows, t->rows + first, count * sizeof *rows);
	t->row_count = first;
	for (size_t i = 0; i < count; i++) {
		t->rows = memory_room(t->rows, t->row_count, &t->row_room, sizeof *t->rows);
		t->rows[t->row_count++] = rows[i];
		if (rows[i].mark == '-')
			below(m, &rows[i]);
	}
	free(rows);
}

/* ---- contexts, from the beginning of a thread */

static bool is_root(const struct tree *t, uint32_t node)
{
	return t->nodes[node].parent == node;
}

static void add_context(struct making *m, uint32_t node, uint64_t key, uint32_t depth)
{
	const struct kept *k = &m->t->kept;
	const struct node *n = &m->v->tree->nodes[node];
	const struct tree_thread *thread = &m->v->tree->threads[n->thread];
	bool root = is_root(m->v->tree, node);
	struct str name = {0};
	if (root)
		str_add(&name, "thread %s %u", thread->name, thread->tid);
	else
		str_add(&name, "%s", n->zone ? view_zone_name(m->v, n->zone) : VIEW_OVERFLOW);
	struct top_row *r = rows_add(m, TOP_CONTEXT, n->zone, key, name.text);
	str_free(&name);
	r->depth = depth;
	r->open = n->open;
	r->low = n->low;
	r->node = node;
	if (k->children.first[node] != TREE_NONE)
		r->mark = opened_has(&m->t->opened, key, root) ? '-' : '+';
	if (n->zone)
		r->trend = rows_trend(m->t, &m->v->load.zones, n->zone);
	rows_set(m, r, n->calls, &n->self, &k->totals[node]);
}

static void add_children(struct making *m, const struct top_row *of)
{
	const struct kept *k = &m->t->kept;
	size_t first = m->t->row_count;
	uint32_t depth = of->depth + 1;
	uint64_t key = of->key;
	for (uint32_t at = k->children.first[of->node]; at != TREE_NONE;
	     at = k->children.next[at]) {
		const struct node *n = &m->v->tree->nodes[at];
		if (n->calls || k->totals[at].ticks || n->open)
			add_context(m, at, lookup_hash(key, rows_zone_key(m, n->zone)), depth);
	}
	add_opened(m, first, add_children);
}

void rows_contexts(struct making *m)
{
	const struct tree *tree = m->v->tree;
	kept_contexts(&m->t->kept);
	for (size_t i = 0; i < tree->thread_count; i++) {
		const struct tree_thread *thread = &tree->threads[i];
		add_context(m, thread->root, lookup_hash(thread->id, thread->pid), 0);
	}
	add_opened(m, 0, add_children);
}

uint64_t rows_reveal(struct top *t, uint32_t zone)
{
	struct making m = {.t = t, .v = &t->follow->view, .d = &t->kept.derived};
	const struct tree *tree = m.v->tree;
	uint32_t best = TREE_NONE, count = 0;
	double most = 0;
	kept_contexts(&t->kept);
	for (uint32_t i = 0; i < tree->count; i++) {
		struct cost total = view_shown(m.v, &t->kept.totals[i]);
		if (tree->nodes[i].zone == zone && (best == TREE_NONE || total.ns > most)) {
			best = i;
			most = total.ns;
		}
	}
	if (best == TREE_NONE)
		return 0;
	for (uint32_t at = best; !is_root(tree, at); at = tree->nodes[at].parent)
		count++;
	uint32_t *path = memory_zeroed(count + 1, sizeof *path);
	for (uint32_t at = best, i = count; i; at = tree->nodes[at].parent)
		path[i--] = at;
	const struct tree_thread *thread = &tree->threads[tree->nodes[best].thread];
	uint64_t key = lookup_hash(thread->id, thread->pid);
	for (uint32_t i = 0; i <= count; i++) {
		if (i)
			key = lookup_hash(key, rows_zone_key(&m, tree->nodes[path[i]].zone));
		if (i < count && !opened_has(&t->opened, key, !i))
			opened_turn(&t->opened, key);
	}
	free(path);
	return key;
}

/* ---- chains of callers, from a function outwards */

/* Whether a chain goes on: a function called it, in any of its contexts. */
static bool goes_on(const struct callers *c, const struct callers_row *r)
{
	for (size_t i = r->contexts; i < r->contexts + r->context_count; i++) {
		uint32_t at = c->contexts[i].at;
		if (!is_root(c->tree, at) && !is_root(c->tree, c->tree->nodes[at].parent))
			return true;
	}
	return false;
}

static void add_chain(struct making *m, uint32_t row, uint64_t key, uint32_t depth)
{
	const struct callers *c = kept_callers(&m->t->kept);
	const struct callers_row *from = &c->rows[row];
	bool outside = from->zone == CALLERS_OUTSIDE;
	uint32_t zone = outside ? 0 : from->zone;
	struct top_row *r = rows_add(m, TOP_CONTEXT, zone, key,
				     outside ? "(from outside)"
				     : zone  ? view_zone_name(m->v, zone)
					     : VIEW_OVERFLOW);
	r->depth = depth;
	r->node = row;
	r->low = from->low;
	if (!outside && goes_on(c, from))
		r->mark = opened_has(&m->t->opened, key, false) ? '-' : '+';
	rows_set(m, r, from->calls, &from->self, &from->total);
}

static void add_callers(struct making *m, const struct top_row *of)
{
	struct callers *c = kept_callers(&m->t->kept);
	size_t first = m->t->row_count;
	uint32_t depth = of->depth + 1, row = of->node;
	uint64_t key = of->key;
	callers_open(c, row);
	for (uint32_t at = c->rows[row].first; at != TREE_NONE; at = c->rows[at].next) {
		uint32_t zone = c->rows[at].zone;
		uint64_t step = zone == CALLERS_OUTSIDE ? 1 : rows_zone_key(m, zone);
		add_chain(m, at, lookup_hash(key, step), depth);
	}
	add_opened(m, first, add_callers);
}

void rows_callers(struct making *m)
{
	const struct callers *c = kept_callers(&m->t->kept);
	bool *shown = rows_select(m);
	for (uint32_t i = 1; i < m->d->function_count; i++)
		if (shown[i] && c->roots[i] != TREE_NONE)
			add_chain(m, c->roots[i], lookup_hash(rows_zone_key(m, i), 6), 0);
		else
			m->t->more += derive_used(&m->d->functions[i]);
	free(shown);
	rows_sort(m->t, 0);
	rows_limit(m->t);
	add_opened(m, 0, add_callers);
}
