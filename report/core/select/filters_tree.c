/* SPDX-License-Identifier: MIT */
/*
 * filters_tree.c - makes trees from trees. All loops go up the array of nodes, where parents stand
 * before their children. They record where the time of each old node goes in the new tree.
 */
#include <stdlib.h>
#include <string.h>

#include "report/core/select/filters.h"
#include "report/core/base/memory.h"
#include "report/cxx/library_name.h"

/* Filters and state while a tree is copied. Flags are by zone number; NULL: no filter. */
struct copying {
	struct tree *to;
	const struct tree *from;
	const bool *under, *not_in, *only;
	uint32_t *map;     /* old node -> new, TREE_NONE: left out */
	uint32_t *threads; /* old thread -> new, TREE_NONE */
};

static void add_to(struct tree *to, uint32_t at, const struct tree *from, const struct node *n,
		   bool counted)
{
	struct node *new = &to->nodes[at];
	cost_add(&new->self, &n->self);
	new->low |= n->low;
	tree_add_calls(to, at, from, n, counted);
	new = &to->nodes[at];
	if (!counted)
		return;
	new->calls += n->calls;
	visits_add(&new->visits, &n->visits);
	new->open |= n->open;
}

static void copy_thread(struct copying *c, uint32_t thread)
{
	c->threads[thread] = tree_add_thread(c->to, &c->from->threads[thread]);
}

static void copy_node(struct copying *c, uint32_t index)
{
	const struct node *n = &c->from->nodes[index];
	uint32_t thread = c->threads[n->thread];
	c->map[index] = TREE_NONE;
	if (thread == TREE_NONE)
		return;
	uint32_t root = c->to->threads[thread].root;
	if (n->parent == index) {
		if (!c->under) {
			c->map[index] = root;
			add_to(c->to, root, c->from, n, false);
		}
		return;
	}
	uint32_t parent = c->map[n->parent];
	if (parent == TREE_NONE) {
		if (!c->under || !c->under[n->zone])
			return;
		parent = root;
	}
	bool out = (c->not_in && c->not_in[n->zone]) || (c->only && !c->only[n->zone]);
	c->map[index] = out ? parent : tree_child(c->to, parent, n->zone);
	add_to(c->to, c->map[index], c->from, n, !out);
}

static bool any_matches(const struct patterns *p, const struct tree_thread *t,
			bool (*matches)(const struct pattern *, const struct tree_thread *))
{
	for (size_t i = 0; i < p->count; i++)
		if (matches(&p->list[i], t))
			return true;
	return !p->count;
}

static void copy_tree(struct copying *c, const struct filters *f)
{
	const struct tree *from = c->from;
	c->map = memory_resize(NULL, from->count, sizeof *c->map);
	c->threads = memory_resize(NULL, from->thread_count, sizeof *c->threads);
	for (size_t i = 0; i < from->thread_count; i++) {
		c->threads[i] = TREE_NONE;
		if (any_matches(&f->thread, &from->threads[i], filters_thread_matches) &&
		    any_matches(&f->pid, &from->threads[i], filters_pid_matches))
			copy_thread(c, (uint32_t)i);
	}
	for (size_t i = 0; i < from->count; i++)
		copy_node(c, (uint32_t)i);
	free(c->map);
	free(c->threads);
}

struct tree *filters_split(const struct tree *from, const uint32_t *part_of, size_t count)
{
	struct tree *trees = memory_zeroed(count, sizeof *trees);
	uint32_t *map = memory_resize(NULL, from->count, sizeof *map);
	for (size_t i = 0; i < from->thread_count; i++) {
		if (part_of[i] == TREE_NONE)
			continue;
		struct tree *to = &trees[part_of[i]];
		uint32_t thread = tree_add_thread(to, &from->threads[i]);
		map[from->threads[i].root] = to->threads[thread].root;
	}
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		if (part_of[n->thread] == TREE_NONE)
			continue;
		struct tree *to = &trees[part_of[n->thread]];
		if (n->parent != i)
			map[i] = tree_child(to, map[n->parent], n->zone);
		add_to(to, map[i], from, n, true);
	}
	for (size_t i = 0; i < count; i++)
		tree_seal(&trees[i]);
	free(map);
	return trees;
}

struct tree *filters_split_threads(const struct tree *from)
{
	uint32_t *part_of = memory_resize(NULL, from->thread_count, sizeof *part_of);
	for (size_t i = 0; i < from->thread_count; i++)
		part_of[i] = (uint32_t)i;
	struct tree *trees = filters_split(from, part_of, from->thread_count);
	free(part_of);
	return trees;
}

/* A zone for each level of recursion: (zone, level) -> number. */
struct levels {
	struct zones *zones;
	struct lookup by_level;
	struct level {
		uint32_t zone, level, number;
	} * list;
	size_t count, room;
};

static bool same_level(const void *context, uint32_t item, const void *key)
{
	const struct levels *l = context;
	const struct level *k = key;
	return l->list[item].zone == k->zone && l->list[item].level == k->level;
}

static uint32_t level_zone(struct levels *l, uint32_t zone, uint32_t level)
{
	struct level key = {zone, level, 0};
	if (level == 1 || !zone)
		return zone;
	uint64_t hash = lookup_hash(zone, level);
	uint32_t found = lookup_find(&l->by_level, hash, same_level, l, &key);
	if (found != LOOKUP_NONE)
		return l->list[found].number;
	struct zones *z = l->zones;
	z->list = memory_room(z->list, z->count, &z->room, sizeof *z->list);
	struct zone *new = &z->list[z->count], *of = &z->list[zone];
	struct str name = {0};
	str_add(&name, "%s'%u", of->name, level);
	*new = *of;
	new->name = name.text;
	new->linkage = memory_text(of->linkage, strlen(of->linkage));
	new->file = memory_text(of->file, strlen(of->file));
	new->group = memory_text(of->group, strlen(of->group));
	new->spread_of = zone;
	key.number = (uint32_t)z->count++;
	lookup_add(&l->by_level, hash, (uint32_t)l->count);
	*memory_next(l->list, l->count, l->room) = key;
	return key.number;
}

/* How often each node's zone is on the path up to it, itself included. free() it. */
static uint32_t *node_levels(const struct tree *t, size_t zone_count)
{
	struct tree_children c = tree_children(t);
	uint32_t *levels = memory_zeroed(t->count, sizeof *levels);
	uint32_t *on_path = memory_zeroed(zone_count, sizeof *on_path);
	for (size_t i = 0; i < t->thread_count; i++) {
		uint32_t root = t->threads[i].root, at = root;
		for (bool done = false; !done;) {
			levels[at] = ++on_path[t->nodes[at].zone];
			uint32_t next = c.first[at];
			while (next == TREE_NONE && !done) {
				on_path[t->nodes[at].zone]--;
				done = at == root;
				next = done ? TREE_NONE : c.next[at];
				at = t->nodes[at].parent;
			}
			at = next;
		}
	}
	tree_children_free(&c);
	free(on_path);
	return levels;
}

static void spread(struct tree *to, const struct tree *from, struct zones *zones)
{
	struct levels l = {.zones = zones};
	uint32_t *levels = node_levels(from, zones->count);
	uint32_t *map = memory_resize(NULL, from->count, sizeof *map);
	*to = (struct tree){0};
	for (size_t i = 0; i < from->thread_count; i++) {
		uint32_t thread = tree_add_thread(to, &from->threads[i]);
		map[from->threads[i].root] = to->threads[thread].root;
	}
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		if (n->parent != i)
			map[i] = tree_child(to, map[n->parent], level_zone(&l, n->zone, levels[i]));
		add_to(to, map[i], from, n, n->parent != i);
	}
	lookup_free(&l.by_level);
	free(l.list);
	free(levels);
	free(map);
}

bool filters_keep_tree(const struct filters *f)
{
	return !f->thread.count && !f->pid.count && !f->under.count && !f->not_in.count &&
	       !f->only.count && !f->fold_library && !f->spread;
}

/* The zones that --not and --fold-library make transparent; NULL: none. */
static bool *zones_out(const struct filters *f, const struct zones *zones, const struct groups *g)
{
	if (!f->not_in.count && !f->fold_library)
		return NULL;
	bool *out = filters_zones(&f->not_in, zones, g);
	for (size_t i = 1; f->fold_library && i < zones->count; i++)
		out[i] = out[i] || (!zones->list[i].kind && library_internal(zones->list[i].name));
	return out;
}

void filters_tree(struct tree *to, const struct tree *from, const struct filters *f,
		  struct zones *zones, const struct groups *g)
{
	*to = (struct tree){0};
	bool *under = f->under.count ? filters_zones(&f->under, zones, g) : NULL;
	bool *not_in = zones_out(f, zones, g);
	bool *only = f->only.count ? filters_zones(&f->only, zones, g) : NULL;
	struct copying c = {to, from, under, not_in, only, NULL, NULL};
	copy_tree(&c, f);
	free(under);
	free(not_in);
	free(only);
	if (!f->spread)
		return;
	struct tree whole = *to;
	spread(to, &whole, zones);
	tree_free(&whole);
}
