/* SPDX-License-Identifier: MIT */
/* lines.c - see lines.h. */
#include "report/annotate/lines.h"

#include <stdlib.h>

#include "report/core/base/lookup.h"
#include "report/core/base/memory.h"

/* The value of `cover` before a node was entered; restored when the walk leaves the node. */
struct undo {
	double *cover;
	double before;
};

struct making {
	struct lines *l;
	const struct tree *tree;
	const struct zones *zones;
	const struct places *places;
	const bool *shown;
	struct cost *totals;
	struct lookup by_line, by_call;
	double *line_cover, *call_cover; /* by index of lines and their calls */
	struct undo *undo;
	size_t undo_count, undo_room;
	/* By call of the tree: index of line_call, or of line for a sampled place; 0: none. */
	uint32_t *line_of;
};

/* ---- which line a call of the tree comes from */

static bool same_line(const void *context, uint32_t item, const void *key)
{
	const struct lines *l = context;
	const struct line *k = key;
	return l->list[item].file == k->file && l->list[item].line == k->line;
}

static uint32_t line_number(struct making *m, const struct code_place *p)
{
	struct lines *l = m->l;
	struct line key = {.file = p->file, .line = p->line};
	uint64_t hash = lookup_hash(p->file, p->line);
	uint32_t item = lookup_find(&m->by_line, hash, same_line, l, &key);
	if (item != LOOKUP_NONE)
		return item;
	lookup_add(&m->by_line, hash, (uint32_t)l->count);
	*memory_next(l->list, l->count, l->room) = key;
	return (uint32_t)l->count - 1;
}

static bool same_call(const void *context, uint32_t item, const void *key)
{
	const struct lines *l = context;
	const struct line_call *a = &l->calls[item], *b = key;
	return a->line == b->line && a->column == b->column && a->callee == b->callee;
}

static uint32_t call_number(struct making *m, uint32_t line, uint32_t column, uint32_t callee)
{
	struct lines *l = m->l;
	struct line_call key = {.line = line, .column = column, .callee = callee};
	uint64_t hash = lookup_hash((uint64_t)line << 32 | column, callee);
	uint32_t item = lookup_find(&m->by_call, hash, same_call, l, &key);
	if (item != LOOKUP_NONE)
		return item;
	key.next = l->list[line].first_call;
	l->calls = memory_room(l->calls, l->call_count, &l->call_room, sizeof *l->calls);
	l->calls[l->call_count] = key;
	lookup_add(&m->by_call, hash, (uint32_t)l->call_count);
	l->list[line].first_call = (uint32_t)l->call_count;
	l->list[line].call_count++;
	return (uint32_t)l->call_count++;
}

/* Numbers the line of a sample: a line of the function, or of code inlined into it. */
static void number_sampled(struct making *m, const struct node *n, uint32_t at)
{
	const struct code_place *p = &m->places->list[m->tree->calls[at].place];
	const struct zone *z = &m->zones->list[n->zone];
	if (!p->line || z->kind || p->module != z->module)
		return;
	uint32_t line = line_number(m, p);
	m->line_of[at] = line;
	m->l->list[line].has_own = true;
	m->l->list[line].shown |= m->shown[n->zone];
}

/* Numbers all lines and calls first, so that their covers can be arrays. */
static void number_all(struct making *m)
{
	const struct tree *t = m->tree;
	m->line_of = memory_zeroed(t->call_count, sizeof *m->line_of);
	for (size_t i = 0; i < t->count; i++) {
		const struct node *n = &t->nodes[i];
		uint32_t caller = t->nodes[n->parent].zone;
		uint64_t placed = 0;
		for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
			const struct code_place *p = &m->places->list[t->calls[at].place];
			if (t->calls[at].sampled)
				number_sampled(m, n, at);
			if (!p->line || !caller || t->calls[at].sampled)
				continue;
			uint32_t line = line_number(m, p);
			m->line_of[at] = call_number(m, line, p->column, n->zone);
			m->l->list[line].shown |= m->shown[caller];
			placed += t->calls[at].calls;
		}
		if (caller && n->calls > placed)
			m->l->calls_nowhere += n->calls - placed;
	}
	m->line_cover = memory_zeroed(m->l->count, sizeof *m->line_cover);
	m->call_cover = memory_zeroed(m->l->call_count, sizeof *m->call_cover);
}

/* ---- shares */

struct shares {
	double total_weight, self_weight, own_weight;
	double known; /* how many of the node's calls were made at known places */
	double calls;
};

static struct shares shares_of(const struct tree *t, const struct node *n)
{
	double unplaced;
	struct shares s = {.own_weight = tree_sampled_weight(t, n, &unplaced)};
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		if (t->calls[at].sampled)
			continue;
		s.total_weight += t->calls[at].total_ns;
		s.self_weight += t->calls[at].self_ns;
		s.calls += (double)t->calls[at].calls;
	}
	s.known = s.calls < (double)n->calls ? s.calls / (double)n->calls : 1;
	return s;
}

static double share(const struct shares *s, double weight, double weights, uint64_t calls)
{
	if (weights > 0)
		return s->known * weight / weights;
	return s->calls > 0 ? s->known * (double)calls / s->calls : 0;
}

/* Adds SHARE of the part that *COVER did not cover when the node was entered. Returns how much. */
static double cover(struct making *m, size_t first, double *cover, double share)
{
	double before = *cover;
	size_t i = first;
	while (i < m->undo_count && m->undo[i].cover != cover)
		i++;
	if (i < m->undo_count) {
		before = m->undo[i].before;
	} else {
		*memory_next(m->undo, m->undo_count, m->undo_room) = (struct undo){cover, before};
	}
	double added = share * (1 - before);
	*cover += added;
	return added;
}

void lines_add_sampled(struct cost *to, const struct node *n, double weight, double weights)
{
	struct cost on_cpu = cost_on_processor(&n->self);
	if (weights > 0)
		cost_add_share(to, &on_cpu, weight / weights);
}

static void enter(struct making *m, uint32_t node)
{
	const struct tree *t = m->tree;
	const struct node *n = &t->nodes[node];
	struct shares s = shares_of(t, n);
	size_t first = m->undo_count;
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		const struct tree_call *c = &t->calls[at];
		uint32_t number = m->line_of[at];
		if (!number)
			continue;
		if (c->sampled) {
			lines_add_sampled(&m->l->list[number].own, n, c->self_ns, s.own_weight);
			continue;
		}
		struct line_call *call = &m->l->calls[number];
		struct line *line = &m->l->list[call->line];
		double total = share(&s, c->total_ns, s.total_weight, c->calls);
		double self = share(&s, c->self_ns, s.self_weight, c->calls);
		double of_line = cover(m, first, &m->line_cover[call->line], total);
		double of_call = cover(m, first, &m->call_cover[number], total);
		line->calls += c->calls;
		call->calls += c->calls;
		cost_add_share(&line->total, &m->totals[node], of_line);
		cost_add_share(&call->total, &m->totals[node], of_call);
		cost_add_share(&line->self, &n->self, self);
		cost_add_share(&call->self, &n->self, self);
	}
}

static void leave(struct making *m, size_t to)
{
	while (m->undo_count > to) {
		const struct undo *u = &m->undo[--m->undo_count];
		*u->cover = u->before;
	}
}

/* Walks all nodes, callers before callees, and leaves each after its callees. */
static void walk(struct making *m)
{
	const struct tree *t = m->tree;
	struct tree_children c = tree_children(t);
	size_t *undo_at = memory_zeroed(t->count, sizeof *undo_at);
	for (size_t i = 0; i < t->thread_count; i++) {
		uint32_t root = t->threads[i].root, at = root;
		for (bool done = false; !done;) {
			undo_at[at] = m->undo_count;
			enter(m, at);
			uint32_t next = c.first[at];
			while (next == TREE_NONE && !done) {
				leave(m, undo_at[at]);
				done = at == root;
				next = done ? TREE_NONE : c.next[at];
				at = t->nodes[at].parent;
			}
			at = next;
		}
	}
	tree_children_free(&c);
	free(undo_at);
}

static int by_place(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	return memory_order(a->file, b->file) ?: memory_order(a->line, b->line);
}

void lines_make(struct lines *l, const struct tree *t, const struct zones *zones,
		const struct places *places, const bool *shown)
{
	*l = (struct lines){.count = 1, .call_count = 1};
	l->list = memory_room(NULL, 0, &l->room, sizeof *l->list);
	l->calls = memory_room(NULL, 0, &l->call_room, sizeof *l->calls);
	struct making m = {.l = l,
			   .tree = t,
			   .zones = zones,
			   .places = places,
			   .shown = shown,
			   .totals = tree_totals(t)};
	number_all(&m);
	walk(&m);
	memory_sort(l->list + 1, l->count - 1, by_place);
	lookup_free(&m.by_line);
	lookup_free(&m.by_call);
	free(m.totals);
	free(m.line_cover);
	free(m.call_cover);
	free(m.line_of);
	free(m.undo);
}

void lines_free(struct lines *l)
{
	free(l->list);
	free(l->calls);
	*l = (struct lines){0};
}
