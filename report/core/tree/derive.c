/* SPDX-License-Identifier: MIT */
/*
 * derive.c - see derive.h. One walk over each thread's tree, with constant work per node.
 *
 * Totals of outermost contexts are sums of subtrees, computed beforehand. A child line of f is a
 * subtree too, less the subtrees of other nodes of f within it, because there an inner f is the
 * innermost. The walk adds the subtree at the child, and subtracts the excess at such an inner f.
 * For this, each zone on the path remembers the arc to its current child (`child_arc`); when the
 * walk leaves an inner f, it restores the outer one.
 *
 * The self column of a child line (the callee's own ticks within that line) is only a part of a
 * subtree. Each zone has a running sum of its self ticks. The column is the growth of that sum
 * while the walk is inside the subtree. A stack (struct pending) holds the differences that are not
 * complete yet.
 */
#include "report/core/tree/derive.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/progress.h"

#define NO_ARC UINT32_MAX

/* The state of a zone during the walk. */
struct walk_zone {
	uint32_t on_path;   /* how many nodes of the path are in the zone */
	uint32_t outer_arc; /* the arc through which the outermost of these was entered */
	uint32_t child_arc; /* from the innermost of these to its child on the path; or NO_ARC */
	struct cost running;
};

/* A difference that is not complete yet: the growth of the callee's running sum, until the walk
 * leaves NODE, is added to child_self of ARC, or with TAKE_OFF subtracted. */
struct pending {
	uint32_t node, arc;
	bool take_off;
	struct cost before;
};

struct step {
	uint32_t node;
	uint32_t old_child_arc; /* the zone's child_arc before this node was entered */
};

struct walk {
	struct derived *d;
	const struct tree *t;
	struct tree_children children;
	struct cost *totals;
	struct walk_zone *zones;
	struct step *path;
	size_t depth, path_room;
	struct pending *pending;
	size_t pending_used, pending_room;
	size_t again; /* how many nodes of the path are in a zone that is on the path before */
	struct lookup arcs;
};

struct arc_key {
	uint32_t caller, callee;
};

static bool same_arc(const void *context, uint32_t item, const void *key)
{
	const struct derived *d = context;
	const struct arc_key *k = key;
	return d->arcs[item].caller == k->caller && d->arcs[item].callee == k->callee;
}

static uint32_t find_arc(struct walk *w, uint32_t caller, uint32_t callee)
{
	struct derived *d = w->d;
	struct arc_key key = {caller, callee};
	uint64_t hash = lookup_hash(caller, callee);
	uint32_t arc = lookup_find(&w->arcs, hash, same_arc, d, &key);
	if (arc != LOOKUP_NONE)
		return arc;
	lookup_add(&w->arcs, hash, (uint32_t)d->arc_count);
	*memory_next(d->arcs, d->arc_count, d->arc_room) =
	    (struct arc){.caller = caller, .callee = callee};
	return (uint32_t)d->arc_count - 1;
}

static void push_pending(struct walk *w, uint32_t node, uint32_t arc, bool take_off)
{
	*memory_next(w->pending, w->pending_used, w->pending_room) =
	    (struct pending){node, arc, take_off, w->zones[w->d->arcs[arc].callee].running};
}

static void pop_pending(struct walk *w, uint32_t node)
{
	while (w->pending_used && w->pending[w->pending_used - 1].node == node) {
		struct pending *p = &w->pending[--w->pending_used];
		struct arc *a = &w->d->arcs[p->arc];
		struct cost grown = w->zones[a->callee].running;
		cost_subtract(&grown, &p->before);
		if (p->take_off)
			cost_subtract(&a->child_self, &grown);
		else
			cost_add(&a->child_self, &grown);
	}
}

static void count_level(struct function *f, uint32_t level, uint64_t calls)
{
	if (level > f->deepest)
		f->deepest = level;
	if (level > 1 && !f->calls_by_level)
		f->calls_by_level = memory_zeroed(DERIVE_LEVELS, sizeof *f->calls_by_level);
	if (level > 1)
		f->calls_by_level[level < DERIVE_LEVELS ? level - 1 : DERIVE_LEVELS - 1] += calls;
}

static void count_function(struct walk *w, const struct node *n)
{
	struct function *f = &w->d->functions[n->zone];
	struct walk_zone *z = &w->zones[n->zone];
	uint32_t level = z->on_path + 1;
	f->calls += n->calls;
	cost_add(&f->self, &n->self);
	visits_add(&f->visits, &n->visits);
	if (level == 1) {
		cost_add(&f->total, &w->totals[n - w->t->nodes]);
		f->open += n->open;
	}
	count_level(f, level, n->calls);
	if (!f->min_depth || w->depth < f->min_depth)
		f->min_depth = (uint32_t)w->depth;
}

/* Counts the arc through which N was entered: a line above its zone and one below its caller. */
static void count_arc(struct walk *w, const struct node *n, uint32_t caller)
{
	uint32_t number = find_arc(w, caller, n->zone), index = (uint32_t)(n - w->t->nodes);
	struct arc *a = &w->d->arcs[number];
	struct walk_zone *z = &w->zones[n->zone];
	a->calls += n->calls;
	if (n->calls)
		w->d->functions[a->caller].caller = true;
	if (!z->on_path) {
		z->outer_arc = number;
		cost_add(&a->parent_total, &w->totals[index]);
	}
	cost_add(&w->d->arcs[z->outer_arc].parent_self, &n->self);
	if (caller == n->zone) {
		w->d->functions[n->zone].own_calls += n->calls;
		return;
	}
	if (z->on_path) { /* an inner f: its subtree is no part of the outer f's child line */
		cost_subtract(&w->d->arcs[z->child_arc].child_total, &w->totals[index]);
		push_pending(w, index, z->child_arc, true);
	}
	cost_add(&a->child_total, &w->totals[index]);
	push_pending(w, index, number, false);
	w->zones[caller].child_arc = number;
}

static void enter(struct walk *w, uint32_t index)
{
	const struct node *n = &w->t->nodes[index];
	struct walk_zone *z = &w->zones[n->zone];
	if (n->zone) {
		count_function(w, n);
		count_arc(w, n, w->t->nodes[n->parent].zone);
	}
	*memory_next(w->path, w->depth, w->path_room) = (struct step){index, z->child_arc};
	w->again += n->zone && z->on_path;
	w->d->contexts += n->zone != 0;
	w->d->recursive += n->zone && w->again;
	z->on_path++;
	cost_add(&z->running, &n->self);
}

static void leave(struct walk *w)
{
	struct step *s = &w->path[--w->depth];
	struct walk_zone *z = &w->zones[w->t->nodes[s->node].zone];
	pop_pending(w, s->node);
	z->on_path--;
	w->again -= w->t->nodes[s->node].zone && z->on_path;
	z->child_arc = s->old_child_arc;
}

static void walk_thread(struct walk *w, uint32_t root)
{
	uint32_t at = root;
	for (;;) {
		enter(w, at);
		uint32_t next = w->children.first[at];
		while (next == TREE_NONE && w->depth) {
			uint32_t done = w->path[w->depth - 1].node;
			leave(w);
			next = done == root ? TREE_NONE : w->children.next[done];
		}
		if (!w->depth)
			return;
		at = next;
	}
}

/* Marks every function that called, directly or not, a function in an overflow table. */
static void mark_low(struct derived *d, const struct tree *t)
{
	bool *low = memory_zeroed(t->count, sizeof *low);
	for (size_t i = t->count; i-- > 0;) {
		const struct node *n = &t->nodes[i];
		if (!low[i] && !n->low)
			continue;
		d->functions[n->zone].low = true;
		low[n->parent] = true;
	}
	free(low);
}

static void finish(struct derived *d)
{
	for (size_t i = 1; i < d->function_count; i++) {
		struct function *f = &d->functions[i];
		cost_add(&d->whole, &f->self);
		d->calls += f->calls;
		d->zones_used += derive_used(f);
		uint64_t deeper = 0;
		for (int level = 1; f->calls_by_level && level < DERIVE_LEVELS; level++)
			deeper += f->calls_by_level[level];
		if (f->calls_by_level)
			f->calls_by_level[0] = f->calls - deeper;
	}
}

void derive(struct derived *d, const struct tree *t, size_t zone_count)
{
	*d = (struct derived){.function_count = zone_count};
	d->functions = memory_zeroed(zone_count, sizeof *d->functions);
	for (size_t i = 0; i < zone_count; i++)
		d->functions[i].zone = (uint32_t)i;
	struct walk w = {.d = d, .t = t, .children = tree_children(t), .totals = tree_totals(t)};
	w.zones = memory_zeroed(zone_count, sizeof *w.zones);
	for (size_t i = 0; i < zone_count; i++)
		w.zones[i].child_arc = NO_ARC;
	for (size_t i = 0; i < t->thread_count; i++) {
		walk_thread(&w, t->threads[i].root);
		cost_add(&d->functions[0].self, &t->nodes[t->threads[i].root].self);
		cost_add(&d->functions[0].total, &w.totals[t->threads[i].root]);
	}
	tree_children_free(&w.children);
	lookup_free(&w.arcs);
	free(w.totals);
	free(w.zones);
	free(w.path);
	free(w.pending);
	mark_low(d, t);
	finish(d);
}

void derive_free(struct derived *d)
{
	for (size_t i = 0; i < d->function_count; i++)
		free(d->functions[i].calls_by_level);
	free(d->functions);
	free(d->arcs);
	*d = (struct derived){0};
}

/*
 * The library's own zone may have nothing but counts of events (events=), and a zone in which a thread
 * lost the processor, nothing but the time until it was back.
 */
static bool has_more_than_ticks(const struct cost *c)
{
	if (c->preempted_ns > 0 || c->wait_ns > 0)
		return true;
	for (size_t i = 0; i < COST_COUNTERS; i++)
		if (c->counter[i])
			return true;
	return false;
}

bool derive_used(const struct function *f)
{
	return f->calls || f->self.ticks || f->total.ticks || f->open || f->caller ||
	       has_more_than_ticks(&f->total);
}

/* Sums over each function's arcs, to compare with the function. */
struct sums {
	int64_t parent_self, parent_total, child_total, child_self;
	uint64_t calls;
};

static void add_ticks(int64_t *sum, int64_t ticks)
{
	*sum = cost_ticks(*sum, ticks);
}

static const char *compare(const struct function *f, const struct sums *s)
{
	if (s->calls != f->calls)
		return "calls of the callers' lines do not sum to a function's";
	if (s->parent_self != f->self.ticks)
		return "self times of the callers' lines do not sum to a function's";
	if (s->parent_total != f->total.ticks)
		return "total times of the callers' lines do not sum to a function's";
	if (cost_ticks(s->child_total, f->self.ticks) != f->total.ticks)
		return "times of the callees' lines do not sum to a function's children";
	return NULL;
}

bool derive_check(const struct derived *d, const struct tree *t, const char **wrong)
{
	struct sums *sums = memory_zeroed(d->function_count, sizeof *sums);
	int64_t nodes = 0, functions = 0;
	*wrong = NULL;
	for (size_t i = 0; i < d->arc_count; i++) {
		const struct arc *a = &d->arcs[i];
		sums[a->callee].calls += a->calls;
		add_ticks(&sums[a->callee].parent_self, a->parent_self.ticks);
		add_ticks(&sums[a->callee].parent_total, a->parent_total.ticks);
		add_ticks(&sums[a->caller].child_total, a->child_total.ticks);
		if (a->caller == a->callee && (a->parent_self.ticks || a->parent_total.ticks ||
					       a->child_self.ticks || a->child_total.ticks))
			*wrong = "an arc from a function to itself has time";
	}
	for (size_t i = 1; i < d->function_count && !*wrong; i++) {
		*wrong = compare(&d->functions[i], &sums[i]);
		add_ticks(&functions, d->functions[i].self.ticks);
	}
	for (size_t i = 0; i < t->count; i++)
		add_ticks(&nodes, t->nodes[i].zone ? t->nodes[i].self.ticks : 0);
	if (!*wrong && (nodes != functions || d->whole.ticks != nodes))
		*wrong = "self times of the functions do not sum to the contexts'";
	free(sums);
	return !*wrong;
}
