/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h. */
#include "report/core/tree/tree.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

struct child_key {
	uint32_t parent, zone;
};

static bool same_child(const void *context, uint32_t item, const void *key)
{
	const struct tree *t = context;
	const struct child_key *k = key;
	return t->nodes[item].parent == k->parent && t->nodes[item].zone == k->zone;
}

static uint32_t add_node(struct tree *t, uint32_t parent, uint32_t zone, uint32_t thread)
{
	*memory_next(t->nodes, t->count, t->room) =
	    (struct node){.zone = zone, .parent = parent, .thread = thread};
	return (uint32_t)t->count - 1;
}

uint32_t tree_add_thread(struct tree *t, const struct tree_thread *thread)
{
	t->threads = memory_room(t->threads, t->thread_count, &t->thread_room, sizeof *t->threads);
	t->threads[t->thread_count] = *thread;
	t->threads[t->thread_count].root =
	    add_node(t, (uint32_t)t->count, 0, (uint32_t)t->thread_count);
	return (uint32_t)t->thread_count++;
}

uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t zone)
{
	struct child_key key = {parent, zone};
	uint64_t hash = lookup_hash(parent, zone);
	uint32_t found = lookup_find(&t->by_parent, hash, same_child, t, &key);
	if (found != LOOKUP_NONE)
		return found;
	uint32_t new = add_node(t, parent, zone, t->nodes[parent].thread);
	lookup_add(&t->by_parent, hash, new);
	return new;
}

/* Adds CALL to the list that begins with FIRST, and gives the new beginning. */
static uint32_t add_call(struct tree *t, uint32_t first, const struct tree_call *call)
{
	uint32_t at = first;
	while (at && (t->calls[at].place != call->place || t->calls[at].sampled != call->sampled ||
		      t->calls[at].kernel != call->kernel || t->calls[at].chain != call->chain))
		at = t->calls[at].next;
	if (!at) {
		if (!t->call_count)
			t->call_count = 1;
		at = (uint32_t)t->call_count;
		*memory_next(t->calls, t->call_count, t->call_room) =
		    (struct tree_call){.place = call->place,
				       .sampled = call->sampled,
				       .kernel = call->kernel,
				       .chain = call->chain,
				       .next = first};
		first = at;
	}
	t->calls[at].calls += call->calls;
	t->calls[at].total_ns += call->total_ns;
	t->calls[at].self_ns += call->self_ns;
	return first;
}

void tree_add_call(struct tree *t, uint32_t node, const struct tree_call *call)
{
	t->nodes[node].first_call = add_call(t, t->nodes[node].first_call, call);
}

void tree_add_kernel(struct tree *t, uint32_t node, const struct tree_call *samples)
{
	t->nodes[node].first_kernel = add_call(t, t->nodes[node].first_kernel, samples);
}

void tree_add_chain(struct tree *t, uint32_t node, const struct tree_call *samples)
{
	t->nodes[node].first_chain = add_call(t, t->nodes[node].first_chain, samples);
}

void tree_add_calls(struct tree *t, uint32_t node, const struct tree *from, const struct node *of,
		    bool counted)
{
	for (uint32_t at = of->first_call; at; at = from->calls[at].next) {
		struct tree_call call = from->calls[at];
		if (counted || call.sampled)
			tree_add_call(t, node, &call);
	}
	for (uint32_t at = of->first_kernel; at; at = from->calls[at].next) {
		struct tree_call samples = from->calls[at];
		tree_add_kernel(t, node, &samples);
	}
	for (uint32_t at = of->first_chain; at; at = from->calls[at].next) {
		struct tree_call samples = from->calls[at];
		tree_add_chain(t, node, &samples);
	}
}

#define PLACED_LEAST 30 /* samples */

double tree_sampled_weight(const struct tree *t, const struct node *n, double *unplaced)
{
	double placed = 0, rest = 0;
	uint64_t samples = 0;
	for (uint32_t at = n->first_call; at; at = t->calls[at].next) {
		const struct tree_call *c = &t->calls[at];
		if (!c->sampled)
			continue;
		*(c->place ? &placed : &rest) += c->self_ns;
		samples += c->place ? c->calls : 0;
	}
	bool enough = samples >= PLACED_LEAST && placed > 0;
	*unplaced = enough ? rest / (placed + rest) : 0;
	return enough ? placed : placed + rest;
}

void tree_seal(struct tree *t)
{
	lookup_free(&t->by_parent);
}

void tree_free(struct tree *t)
{
	free(t->nodes);
	free(t->threads);
	free(t->calls);
	lookup_free(&t->by_parent);
	*t = (struct tree){0};
}

bool tree_check(const struct tree *t)
{
	struct lookup seen = {0};
	bool ok = true;
	for (size_t i = 0; i < t->count && ok; i++) {
		const struct node *n = &t->nodes[i];
		if (n->parent == i) {
			ok = n->zone == 0 && n->thread < t->thread_count &&
			     t->threads[n->thread].root == i;
			continue;
		}
		struct child_key key = {n->parent, n->zone};
		uint64_t hash = lookup_hash(n->parent, n->zone);
		bool overflow = !n->zone && t->nodes[n->parent].parent == n->parent;
		ok = n->parent < i && (n->zone || overflow) &&
		     n->thread == t->nodes[n->parent].thread &&
		     lookup_find(&seen, hash, same_child, t, &key) == LOOKUP_NONE;
		lookup_add(&seen, hash, (uint32_t)i);
	}
	lookup_free(&seen);
	return ok;
}

int64_t *tree_thread_ticks(const struct tree *t)
{
	int64_t *ticks = memory_zeroed(t->thread_count, sizeof *ticks);
	for (size_t i = 0; i < t->count; i++)
		ticks[t->nodes[i].thread] =
		    cost_ticks(ticks[t->nodes[i].thread], t->nodes[i].self.ticks);
	return ticks;
}

struct cost *tree_totals(const struct tree *t)
{
	struct cost *totals = memory_resize(NULL, t->count, sizeof *totals);
	for (size_t i = 0; i < t->count; i++)
		totals[i] = t->nodes[i].self;
	for (size_t i = t->count; i-- > 0;)
		if (t->nodes[i].parent != i)
			cost_add(&totals[t->nodes[i].parent], &totals[i]);
	return totals;
}

struct tree_children tree_children(const struct tree *t)
{
	struct tree_children c = {memory_resize(NULL, t->count, sizeof *c.first),
				  memory_resize(NULL, t->count, sizeof *c.next)};
	for (size_t i = 0; i < t->count; i++)
		c.first[i] = c.next[i] = TREE_NONE;
	for (size_t i = t->count; i-- > 0;) {
		uint32_t parent = t->nodes[i].parent;
		if (parent == i)
			continue;
		c.next[i] = c.first[parent];
		c.first[parent] = (uint32_t)i;
	}
	return c;
}

void tree_children_free(struct tree_children *c)
{
	free(c->first);
	free(c->next);
}
