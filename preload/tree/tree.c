/* SPDX-License-Identifier: MIT */
/* tree.c - see tree.h. */
#include "preload/tree/tree.h"

#include "preload/base/sys.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/zones.h"
#include "preload/code/module.h"
#include "preload/tree/fold.h"

#define LAST_SECTION  (1u << 20)
#define FIRST_SLOTS   1024u
#define CALLEES_BYTES (TREE_CALLEES * sizeof(struct callee))

/* The smallest section that the file has room for. */
static uint32_t first_section(void)
{
	return (uint32_t)sys_whole_pages(ZPROF_GRANULE);
}

static size_t hash_bytes(uint32_t slots)
{
	return sizeof(struct hash) + slots * sizeof(uint32_t);
}

bool tree_init(struct tree *tree, uint32_t thread)
{
	tree->hash = sys_memory(hash_bytes(FIRST_SLOTS));
	tree->callees = sys_memory(CALLEES_BYTES);
	if (!tree->hash || !tree->callees) {
		sys_memory_free(tree->hash, hash_bytes(FIRST_SLOTS));
		sys_memory_free(tree->callees, CALLEES_BYTES);
		return false;
	}
	tree->hash->mask = FIRST_SLOTS - 1;
	tree->next_bytes = first_section();
	tree->thread = thread;
	tree->section = NULL;
	return true;
}

void tree_fini(struct tree *tree)
{
	sys_memory_free(tree->callees, CALLEES_BYTES);
	sys_memory_free(tree->hash, hash_bytes(tree->hash->mask + 1));
}

void tree_forget(struct tree *tree)
{
	tree_fini(tree);
	fold_forget(tree->heirs);
	tree->callees = NULL;
	tree->hash = NULL;
	tree->heirs = NULL;
}

/* ---- room */

/* One node in so many of max_nodes is kept for the overflow table. */
#define SPARE 8

static uint32_t spare_nodes(const struct process *p)
{
	return p->options->max_nodes / SPARE;
}

/*
 * Takes up to `wanted` nodes from a budget of which `limit` may be taken in all. Returns how many.
 */
static uint32_t grant(uint32_t *taken_from, uint32_t limit, uint32_t wanted)
{
	uint32_t taken = __atomic_load_n(taken_from, __ATOMIC_RELAXED), granted;

	do {
		uint32_t left = limit > taken ? limit - taken : 0;

		granted = wanted < left ? wanted : left;
	} while (!__atomic_compare_exchange_n(taken_from, &taken, taken + granted, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return granted;
}

/* How many nodes a section of so many bytes holds, after the 64 bytes of its header. */
static uint32_t nodes_in(uint64_t bytes)
{
	return (uint32_t)((bytes - sizeof(struct zprof_section)) / ZPROF_NODE_BYTES);
}

/*
 * Makes a new section of nodes, which *chain then is, with the section before as its `previous`.
 * False: *why says what is lacking.
 */
static bool more_nodes(struct process *p, const struct tree *tree, struct zprof_section **chain,
		       uint32_t *budget, uint32_t limit, uint64_t bytes, enum zprof_counter *why)
{
	uint32_t granted = grant(budget, limit, nodes_in(bytes));
	struct zprof_section *section;

	*why = ZPROF_LOSS_BUDGET;
	if (!granted)
		return false;
	section = file_section(p, ZPROF_SECTION_NODES, tree->thread,
			       sizeof(*section) + (uint64_t)granted * ZPROF_NODE_BYTES);
	if (!section) {
		*why = ZPROF_LOSS_SPACE;
		__atomic_sub_fetch(budget, granted, __ATOMIC_RELAXED);
		return false;
	}
	section->previous = *chain ? (uint64_t)((char *)*chain - p->file->base) : 0;
	*chain = section;
	return true;
}

static bool more_room(struct process *p, struct tree *tree, enum zprof_counter *why)
{
	uint32_t limit = p->options->max_nodes - spare_nodes(p) + p->spent_before.nodes;

	if (!more_nodes(p, tree, &tree->section, &p->spent.nodes, limit, tree->next_bytes, why))
		return false;
	if (tree->next_bytes < LAST_SECTION)
		tree->next_bytes *= 2;
	return true;
}

static bool more_spare(struct process *p, struct tree *tree)
{
	enum zprof_counter why;

	return more_nodes(p, tree, &tree->spare, &p->spent.spare_nodes,
			  spare_nodes(p) + p->spent_before.spare_nodes, first_section(), &why);
}

static bool is_full(const struct zprof_section *s)
{
	return !s || s->used + ZPROF_NODE_BYTES > s->bytes;
}

static struct zprof_node *take_node(struct zprof_section *s)
{
	struct zprof_node *node = (struct zprof_node *)((char *)s + s->used);

	s->used += ZPROF_NODE_BYTES;
	return node;
}

/*
 * Also sets nodes aside for the overflow table (tree.h), which is needed when memory has run out: so
 * the nodes are taken as the thread begins.
 */
struct zprof_node *tree_root(struct process *p, struct tree *tree)
{
	enum zprof_counter why = ZPROF_LOSS_BUDGET;
	struct zprof_node *root;

	if (!more_room(p, tree, &why)) {
		losses_count(p, why, 1);
		return NULL;
	}
	more_spare(p, tree);
	root = take_node(tree->section);
	tree->root = node_reference(p->file->base, root);
	return root;
}

/* ---- the hash */

static void insert(struct hash *hash, uint64_t zone, uint32_t parent, uint32_t reference)
{
	uint64_t h = tree_hash(zone, parent);
	uint32_t i = tree_slot(hash, h);

	while (hash->slots[i])
		i = (i + 1) & hash->mask;
	hash->slots[i] = ((uint32_t)(h >> 32) & ~SLOT_REFERENCE) | reference;
	hash->count++;
}

/*
 * Doubles the hash. The old table stays valid until the new one is complete, and stays in use if
 * there is no memory for a new one.
 */
static bool rehash(struct tree *tree, char *base)
{
	struct hash *old = tree->hash, *larger = sys_memory(hash_bytes((old->mask + 1) * 2));
	uint32_t i;

	if (!larger)
		return false;
	larger->mask = (old->mask + 1) * 2 - 1;
	for (i = 0; i <= old->mask; i++)
		if (old->slots[i]) {
			uint32_t reference = old->slots[i] & SLOT_REFERENCE;
			const struct zprof_node *node = node_at(base, reference);

			insert(larger, node->zone, node->parent, reference);
		}
	tree->hash = larger;
	sys_memory_free(old, hash_bytes(old->mask + 1));
	return true;
}

/*
 * Makes room in the hash. If there is no memory for more slots, the hash may still fill up to
 * `eighths`: 6 for most nodes, 7 for those of the overflow table.
 */
static bool more_slots(struct tree *tree, char *base, uint32_t eighths, bool *slow)
{
	if (tree->hash->count < (tree->hash->mask + 1) / 2)
		return true;
	*slow = true;
	return rehash(tree, base) || tree->hash->count < (tree->hash->mask + 1) / 8 * eighths;
}

/* ---- nodes */

static void begin_node(struct process *p, struct tree *tree, struct zprof_node *node,
		       uint32_t parent, uint64_t zone)
{
	const struct module *module =
	    zone && ZPROF_ZONE_KIND(zone) == ZPROF_ZONE_NATIVE ? module_discover(p, zone) : NULL;
	uint32_t reference = node_reference(p->file->base, node);

	node->module = module ? module->id : 0;
	node->parent = parent;
	node->zone = zone;
	insert(tree->hash, zone, parent, reference);
}

struct zprof_node *tree_spare(struct process *p, struct tree *tree, uint32_t parent, uint64_t zone)
{
	struct zprof_node *node;

	if ((is_full(tree->spare) && !more_spare(p, tree)) ||
	    !more_slots(tree, p->file->base, 7, &(bool){false}))
		return NULL;
	node = take_node(tree->spare);
	begin_node(p, tree, node, parent, zone);
	return node;
}

struct zprof_node *tree_below(const struct process *p, const struct tree *tree,
			      const struct zprof_node *parent, uint64_t zone)
{
	char *base = p->file->base;
	const struct hash *hash = tree->hash;
	uint32_t parent_ref = node_reference(base, parent), i;
	uint64_t h = tree_hash(zone, parent_ref);

	for (i = tree_slot(hash, h); hash->slots[i]; i = (i + 1) & hash->mask) {
		struct zprof_node *node = node_at(base, hash->slots[i] & SLOT_REFERENCE);

		if (tree_slot_may_hold(hash->slots[i], h) && node->zone == zone &&
		    node->parent == parent_ref && !(ZPROF_NODE_FLAGS(node) & ZPROF_NODE_RETIRED))
			return node;
	}
	return NULL;
}

struct zprof_node *tree_find(const struct process *p, const struct tree *tree,
			     struct zprof_node *parent, uint64_t zone)
{
	struct zprof_node *heir = fold_heir(p, tree, parent),
			  *node = heir ? tree_below(p, tree, heir, zone) : NULL;

	return node && node == parent ? tree_below(p, tree, parent, zone) : node;
}

/* Makes a new node below `parent`. NULL: there is no room, and *why says what is lacking. */
static struct zprof_node *new_child(struct process *p, struct tree *tree, uint32_t parent,
				    uint64_t zone, bool *slow, enum zprof_counter *why)
{
	struct zprof_node *node;

	*why = ZPROF_LOSS_SPACE;
	if (!more_slots(tree, p->file->base, 6, slow)) {
		losses_count(p, ZPROF_LOSS_SPACE, 0); /* only for the message on stderr */
		return NULL;
	}
	if (is_full(tree->section)) {
		*slow = true;
		if (!more_room(p, tree, why))
			return NULL;
	}
	node = take_node(tree->section);
	begin_node(p, tree, node, parent, zone);
	return node;
}

/* Makes a node for a zone lent by an interpreter, which neither folds nor spills (fold.h). */
static struct zprof_node *lent_child(struct process *p, struct tree *tree,
				     struct zprof_node *parent, uint64_t zone, bool *slow)
{
	enum zprof_counter why = ZPROF_LOSS_BUDGET;
	struct zprof_node *node = NULL;

	if (!(ZPROF_NODE_FLAGS(parent) & (ZPROF_NODE_FOLDED | ZPROF_NODE_OVERFLOW)))
		node = new_child(p, tree, node_reference(p->file->base, parent), zone, slow, &why);
	if (!node)
		losses_count(p, why, 1);
	return node;
}

static struct zprof_node *native_child(struct process *p, struct tree *tree,
				       struct zprof_node *parent, uint64_t zone, bool *slow)
{
	struct zprof_node *above = fold_heir(p, tree, parent), *heir, *node = NULL;
	enum zprof_counter why = ZPROF_LOSS_BUDGET;

	if (above && !(ZPROF_NODE_FLAGS(above) & ZPROF_NODE_OVERFLOW)) {
		if (tree_below(p, tree, above, zone) == parent)
			above = parent;
		heir = fold_into(p, above, zone);
		node = new_child(p, tree, node_reference(p->file->base, above), zone, slow, &why);
		if (node && heir)
			fold_mark(p, tree, node, fold_heir(p, tree, heir));
		parent = above;
	}
	if (!node)
		node = fold_spill(p, tree, parent, zone);
	if (!node)
		losses_count(p, why, 1);
	return node;
}

struct zprof_node *tree_child(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone, bool *slow)
{
	struct zprof_node *node = tree_find(p, tree, parent, zone);

	if (node)
		return node;
	return ZPROF_ZONE_KIND(zone) == ZPROF_ZONE_NAMED && zones_lent(ZPROF_ZONE_ID(zone))
		   ? lent_child(p, tree, parent, zone, slow)
		   : native_child(p, tree, parent, zone, slow);
}

void tree_forget_callees(struct tree *tree)
{
	uint32_t i;

	for (i = 0; i < TREE_CALLEES; i++) {
		__atomic_store_n(&tree->callees[i].parent, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&tree->callees[i].node, 0, __ATOMIC_RELAXED);
	}
}

/* Nodes come from one section at a time, so the rest of the current section is given up. */
void tree_reserve(struct process *p, struct tree *tree)
{
	uint32_t before = tree->next_bytes;
	enum zprof_counter why;

	tree->next_bytes = LAST_SECTION;
	more_room(p, tree, &why);
	tree->next_bytes = before;
	while (tree->hash->mask + 1 < 4 * nodes_in(LAST_SECTION) && rehash(tree, p->file->base))
		;
}

static void visit_in(const struct process *p, struct zprof_section *s,
		     void (*visit)(void *context, struct zprof_node *node), void *context)
{
	while (s) {
		struct zprof_node *node = (struct zprof_node *)(s + 1);
		struct zprof_node *end = (struct zprof_node *)((char *)s + s->used);

		for (; node < end; node++)
			visit(context, node);
		s = s->previous ? (struct zprof_section *)(p->file->base + s->previous) : NULL;
	}
}

void tree_visit(const struct process *p, const struct tree *tree,
		void (*visit)(void *context, struct zprof_node *node), void *context)
{
	visit_in(p, tree->section, visit, context);
	visit_in(p, tree->spare, visit, context);
}
