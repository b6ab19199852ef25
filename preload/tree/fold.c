/* SPDX-License-Identifier: MIT */
/* fold.c - see fold.h. */
#include "preload/tree/fold.h"

#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/zones.h"
#include "preload/tree/tree.h"

#define FIRST_HEIRS 512u
/*
 * Limits of the search for a node to fold into: how many nodes up a path it goes, how many
 * different zones may lie in between, and how many nodes of the zone are tried.
 */
#define STEPS_MAX      100000u
#define BETWEEN_MAX    64u
#define CANDIDATES_MAX 8u

static struct zprof_node *parent_of(const struct process *p, const struct zprof_node *node)
{
	return node_at(p->file->base, node->parent);
}

static bool is_lent(uint64_t zone)
{
	return ZPROF_ZONE_KIND(zone) == ZPROF_ZONE_NAMED && zones_lent(ZPROF_ZONE_ID(zone));
}

/* ---- heirs of folded nodes: a hash by reference */

struct heir {
	uint32_t node, heir; /* references; 0: empty */
};

struct heirs {
	uint32_t mask, count;
	struct heir slots[];
};

static size_t heirs_bytes(uint32_t slots)
{
	return sizeof(struct heirs) + slots * sizeof(struct heir);
}

static struct heir *slot_of(struct heirs *heirs, uint32_t node)
{
	uint32_t i = node * 0x9e3779b1u >> 7 & heirs->mask;

	while (heirs->slots[i].node && heirs->slots[i].node != node)
		i = (i + 1) & heirs->mask;
	return &heirs->slots[i];
}

static bool more_heirs(struct tree *tree)
{
	struct heirs *old = tree->heirs, *larger;
	uint32_t slots = old ? 2 * (old->mask + 1) : FIRST_HEIRS, i;

	if (old && old->count < (old->mask + 1) / 2)
		return true;
	larger = sys_memory(heirs_bytes(slots));
	if (!larger)
		return false;
	larger->mask = slots - 1;
	if (old) {
		larger->count = old->count;
		for (i = 0; i <= old->mask; i++)
			if (old->slots[i].node)
				*slot_of(larger, old->slots[i].node) = old->slots[i];
		sys_memory_free(old, heirs_bytes(old->mask + 1));
	}
	tree->heirs = larger;
	return true;
}

bool fold_mark(struct process *p, struct tree *tree, struct zprof_node *node,
	       const struct zprof_node *heir)
{
	uint32_t reference = node_reference(p->file->base, node);

	if (!more_heirs(tree))
		return false;
	*slot_of(tree->heirs, reference) =
	    (struct heir){reference, node_reference(p->file->base, heir)};
	tree->heirs->count++;
	node->module |= ZPROF_NODE_FOLDED << 24;
	return true;
}

void fold_forget(struct heirs *heirs)
{
	if (heirs)
		sys_memory_free(heirs, heirs_bytes(heirs->mask + 1));
}

struct zprof_node *fold_heir(const struct process *p, const struct tree *tree,
			     struct zprof_node *node)
{
	uint32_t flags = ZPROF_NODE_FLAGS(node), reference;
	const struct heir *found;

	if (flags & ZPROF_NODE_FOLDED) {
		reference = node_reference(p->file->base, node);
		found = tree->heirs ? slot_of(tree->heirs, reference) : NULL;
		return found && found->node ? node_at(p->file->base, found->heir) : node;
	}
	if (flags & ZPROF_NODE_OVERFLOW && node->parent != tree->overflow)
		return tree_below(p, tree, node_at(p->file->base, tree->overflow), node->zone);
	return node;
}

/* ---- which node to fold into */

bool fold_presses(const struct process *p)
{
	return __atomic_load_n(&p->spent.nodes, __ATOMIC_RELAXED) - p->spent_before.nodes >
	       p->options->max_nodes / 8 * 3;
}

struct between {
	uint32_t count;
	uint64_t zone[BETWEEN_MAX];
};

static bool include(struct between *b, uint64_t zone)
{
	uint32_t i;

	for (i = 0; i < b->count; i++)
		if (b->zone[i] == zone)
			return true;
	if (b->count == BETWEEN_MAX)
		return false;
	b->zone[b->count++] = zone;
	return true;
}

static void exclude(struct between *b, uint64_t zone)
{
	uint32_t i;

	for (i = 0; i < b->count; i++)
		if (b->zone[i] == zone) {
			b->zone[i] = b->zone[--b->count];
			return;
		}
}

/* Whether the path of `node` holds all of the zones in `missing`. */
static bool holds(const struct process *p, const struct zprof_node *node, struct between missing)
{
	uint32_t steps;

	for (steps = 0; missing.count && node->parent && steps < STEPS_MAX; steps++) {
		exclude(&missing, node->zone);
		node = parent_of(p, node);
	}
	return missing.count == 0;
}

/* How often `zone` is on the path, counted up to `enough`. */
static uint32_t depth_of(const struct process *p, const struct zprof_node *node, uint64_t zone,
			 uint32_t enough)
{
	uint32_t depth = 0, steps;

	for (steps = 0; node->parent && depth < enough && steps < STEPS_MAX; steps++) {
		depth += node->zone == zone;
		node = parent_of(p, node);
	}
	return depth;
}

/* How many levels of a recursion have nodes of their own; 0: all. */
static uint32_t levels_apart(const struct process *p)
{
	if (p->options->recursion != FOLD_DECIDES)
		return p->options->recursion;
	return p->entries_alone ? 1 : 0;
}

struct zprof_node *fold_into(const struct process *p, struct zprof_node *parent, uint64_t zone)
{
	uint32_t limit = fold_presses(p) ? 1 : levels_apart(p), steps, candidates = 0;
	struct between between = {.count = 0};
	struct zprof_node *node;

	if (!limit || depth_of(p, parent, zone, limit) < limit)
		return NULL;
	for (node = parent, steps = 0; node->parent && steps < STEPS_MAX; steps++) {
		if (is_lent(node->zone))
			return NULL;
		if (node->zone == zone) {
			if (holds(p, node, between))
				return node;
			if (++candidates == CANDIDATES_MAX)
				return NULL;
		} else if (!include(&between, node->zone)) {
			return NULL;
		}
		node = parent_of(p, node);
	}
	return NULL;
}

/* ---- the overflow table */

static struct zprof_node *entry(struct process *p, struct tree *tree, uint32_t below, uint64_t zone)
{
	struct zprof_node *node = tree_below(p, tree, node_at(p->file->base, below), zone);

	if (node)
		return node;
	node = tree_spare(p, tree, below, zone);
	if (node)
		node->module |= ZPROF_NODE_OVERFLOW << 24;
	return node;
}

struct zprof_node *fold_spill(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone)
{
	char *base = p->file->base;
	struct zprof_node *caller, *node;

	if (!tree->overflow) {
		node = entry(p, tree, tree->root, 0);
		if (!node)
			return NULL;
		tree->overflow = node_reference(base, node);
	}
	if (!(ZPROF_NODE_FLAGS(parent) & ZPROF_NODE_OVERFLOW))
		parent->module |= ZPROF_NODE_SPILLED << 24;
	if (!parent->parent)
		return entry(p, tree, tree->overflow, zone);
	caller = entry(p, tree, tree->overflow, parent->zone);
	if (!caller)
		return NULL;
	node = entry(p, tree, node_reference(base, caller), zone);
	if (node == parent) /* the zone calls itself: two entries are used in turn */
		node = entry(p, tree, node_reference(base, parent), zone);
	return node;
}
