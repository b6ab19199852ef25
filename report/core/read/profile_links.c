/* SPDX-License-Identifier: MIT */
/*
 * profile_links.c - see profile_links.h.
 *
 * The walk to the roots is iterative and touches each node a constant number of times, whatever the
 * shape of the tree: it survives a recursion a million deep and a cycle in a damaged file.
 */
#include "report/core/read/profile_links.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/base/units.h"
#include "report/core/read/record_kinds.h"

enum node_state { UNKNOWN, ON_PATH, GOOD, DROPPED };

struct links {
	struct profile *p;
	const struct profile_range *recent; /* where the last reference was found */
	uint8_t *state;                     /* enum node_state of each node */
	uint32_t *path;                     /* nodes on the way to the root, leaf first */
	size_t path_used, path_room;
	size_t dropped;
	bool lenient; /* the file is being written or is cut short */
	bool bad;     /* a record names what is no node, and ERR says so */
	struct str *err;
};

static bool holds(const struct profile_range *r, uint32_t ref)
{
	return ref >= r->first && ref - r->first < r->count;
}

const struct profile_range *profile_range_of(const struct profile *p, uint32_t ref)
{
	size_t low = 0, high = p->range_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct profile_range *r = &p->ranges[middle];
		if (holds(r, ref))
			return r;
		if (ref < r->first)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Index of the node that REF names; PROFILE_NO_NODE if there is no such node. */
static uint32_t find_node(struct links *l, uint32_t ref)
{
	if (!l->recent || !holds(l->recent, ref))
		l->recent = profile_range_of(l->p, ref);
	return l->recent ? (uint32_t)(l->recent->index + (ref - l->recent->first))
			 : PROFILE_NO_NODE;
}

static uint64_t node_offset(const struct profile *p, size_t index)
{
	size_t i = 0;
	while (i + 1 < p->range_count && p->ranges[i + 1].index <= index)
		i++;
	return (p->ranges[i].first + (index - p->ranges[i].index)) * (uint64_t)ZPROF_NODE_BYTES;
}

static bool bad_node(const struct profile *p, size_t index, struct str *err, const char *what)
{
	return profile_bad(p, err, node_offset(p, index), what);
}

/* Whether N is a thread's overflow table: that stands directly above the thread's root. */
static bool is_overflow(const struct profile *p, const struct zprof_node *n, uint32_t parent)
{
	if (n->zone || parent == PROFILE_NO_NODE || !(ZPROF_NODE_FLAGS(n) & ZPROF_NODE_OVERFLOW))
		return false;
	const struct zprof_node *root = &p->nodes[parent];
	return !root->zone && !(ZPROF_NODE_FLAGS(root) & ZPROF_NODE_OVERFLOW);
}

/* Turns each node's parent into an index; drops a node whose parent is missing, or fails. */
static bool link_parents(struct links *l, struct str *err)
{
	struct profile *p = l->p;
	for (size_t i = 0; i < p->node_count; i++) {
		struct zprof_node *n = &p->nodes[i];
		uint32_t parent = n->parent ? find_node(l, n->parent) : PROFILE_NO_NODE;
		bool overflow = is_overflow(p, n, parent);
		bool unused = !n->zone && !n->calls && !n->self_ticks && !overflow;
		bool orphan = n->zone && parent == PROFILE_NO_NODE;
		if ((orphan || (n->parent && parent == PROFILE_NO_NODE)) && !unused) {
			bool empty = !n->calls && !n->self_ticks;
			if (!l->lenient && !empty)
				return bad_node(p, i, err, "a node's parent is not a node");
			l->state[i] = DROPPED;
			l->dropped += !empty;
		} else if (!n->zone && n->parent && !unused && !overflow) {
			return bad_node(p, i, err, "a node without a zone has a parent");
		}
		n->parent = unused ? PROFILE_NO_NODE : parent;
	}
	return true;
}

/* Follows parents from each node to one whose state is known, and gives the path that state. */
static bool reach_roots(struct links *l, struct str *err)
{
	struct profile *p = l->p;
	for (size_t i = 0; i < p->node_count; i++) {
		uint32_t at = (uint32_t)i;
		l->path_used = 0;
		while (at != PROFILE_NO_NODE && l->state[at] == UNKNOWN) {
			l->state[at] = ON_PATH;
			*memory_next(l->path, l->path_used, l->path_room) = at;
			at = p->nodes[at].parent;
		}
		if (at != PROFILE_NO_NODE && l->state[at] == ON_PATH)
			return bad_node(p, at, err, "a node is among its own callers");
		uint8_t state = at == PROFILE_NO_NODE ? GOOD : l->state[at];
		while (l->path_used)
			l->state[l->path[--l->path_used]] = state;
	}
	return true;
}

static void drop_nodes(struct links *l)
{
	for (size_t i = 0; i < l->p->node_count; i++) {
		if (l->state[i] != DROPPED)
			continue;
		l->p->nodes[i] = (struct zprof_node){.parent = PROFILE_NO_NODE};
	}
	if (l->dropped && !l->p->damage.used)
		str_add(&l->p->damage, "'%s': %s %s just being written and left out", l->p->path,
			units_of((char[UNITS_TEXT]){0}, l->dropped, "context"),
			l->dropped == 1 ? "was" : "were");
}

/* A record of a thread; false if it is not in use. */
static bool link_thread(void *links, const struct record_kind *k, void *record)
{
	(void)k;
	struct links *l = links;
	struct zprof_thread *t = record;
	if (!t->id)
		return false;
	uint32_t root = find_node(l, t->root);
	if (root == PROFILE_NO_NODE && t->root && !l->lenient && !l->bad)
		l->bad = !str_fail(
		    l->err, "'%s' is damaged: the root of thread %u, at offset %llu, is no node",
		    l->p->path, t->id, (unsigned long long)t->root * ZPROF_NODE_BYTES);
	t->root = root;
	for (int level = 0; level < ZPROF_LEVELS; level++)
		t->current[level] =
		    t->current[level] ? find_node(l, t->current[level]) : PROFILE_NO_NODE;
	return true;
}

/* A record of a node; false if it is incomplete, or its node was dropped. */
static bool link_record(void *links, const struct record_kind *k, void *record)
{
	struct links *l = links;
	uint32_t ref = record_node(k, record), node = ref ? find_node(l, ref) : PROFILE_NO_NODE;
	if (node == PROFILE_NO_NODE && ref && !l->lenient && !l->bad)
		l->bad =
		    !str_fail(l->err,
			      "'%s' is damaged: a record of %s names offset %llu, which is "
			      "not a node",
			      l->p->path, k->of_node, (unsigned long long)ref * ZPROF_NODE_BYTES);
	memcpy((char *)record + k->node, &node, sizeof node);
	return node != PROFILE_NO_NODE && l->state[node] != DROPPED;
}

static int by_id(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right; /* all begin with their length and their id */
	_Static_assert(offsetof(struct zprof_module, id) == sizeof *a, "by_id() reads it there");
	_Static_assert(offsetof(struct zprof_zone, id) == sizeof *a, "by_id() reads it there");
	_Static_assert(offsetof(struct zprof_part, id) == sizeof *a, "by_id() reads it there");
	return memory_order(a[1], b[1]);
}

static bool sort_ids(const struct profile *p, const struct record_kind *k, struct str *err)
{
	char *list = record_kind_list(p, k);
	size_t count = record_kind_records(p, k);
	if (count)
		qsort(list, count, k->bytes, by_id);
	for (size_t i = 1; i < count; i++)
		if (!by_id(list + (i - 1) * k->bytes, list + i * k->bytes))
			return str_fail(err, "'%s' is damaged: two %s have the same id", p->path,
					k->with_id);
	return true;
}

static bool link_kind(struct links *l, const struct record_kind *k, struct str *err)
{
	if (k->section == ZPROF_SECTION_NODES)
		return link_parents(l, err) && reach_roots(l, err);
	if (k->section == ZPROF_SECTION_THREADS || k->of_node)
		record_kind_filter(l->p, k, k->of_node ? link_record : link_thread, l);
	return !l->bad && (!k->with_id || sort_ids(l->p, k, err));
}

bool profile_links_check(struct profile *p, struct str *err)
{
	struct links l = {.p = p,
			  .err = err,
			  .state = memory_zeroed(p->node_count, 1),
			  .lenient = p->damage.used || !(p->header.flags & ZPROF_FINISHED)};
	bool ok = true;
	for (size_t i = 0; ok && i < record_kind_count; i++)
		ok = link_kind(&l, &record_kinds[i], err);
	if (ok)
		drop_nodes(&l);
	free(l.state);
	free(l.path);
	return ok;
}

static const void *find_id(const void *list, size_t count, size_t bytes, uint32_t id)
{
	const uint32_t key[] = {0, id};
	return count ? bsearch(key, list, count, bytes, by_id) : NULL;
}

const struct profile_module *profile_find_module(const struct profile *p, uint32_t id)
{
	return find_id(p->modules, p->module_count, sizeof *p->modules, id);
}

const struct profile_zone *profile_find_zone(const struct profile *p, uint32_t id)
{
	return find_id(p->zones, p->zone_count, sizeof *p->zones, id);
}

const struct profile_part *profile_find_part(const struct profile *p, uint32_t id)
{
	return find_id(p->parts, p->part_count, sizeof *p->parts, id);
}

/* Whether M is the module in question, of two at an address: one of them may be unloaded, or may have
 * the other in a hole, as the dynamic linker of arm64 has the kernel's image. */
static bool is_nearer(const struct profile_module *m, const struct profile_module *other)
{
	if (!other || m->fixed.unloaded)
		return !other;
	return other->fixed.unloaded || m->fixed.start >= other->fixed.start;
}

const struct profile_module *profile_module_at(const struct profile *p, uint64_t address)
{
	const struct profile_module *found = NULL;
	for (size_t i = 0; i < p->module_count; i++) {
		const struct profile_module *m = &p->modules[i];
		if (address >= m->fixed.start && address < m->fixed.end && is_nearer(m, found))
			found = m;
	}
	return found;
}
