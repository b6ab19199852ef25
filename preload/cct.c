/* SPDX-License-Identifier: MIT */
/* cct.c - see cct.h. */
#include "preload/cct.h"

#include "preload/process.h"
#include "preload/sys.h"

#define FIRST_SECTION ZPROF_GRANULE
#define LAST_SECTION  (1u << 20)
#define FIRST_SLOTS   1024u

static size_t hash_bytes(uint32_t slots)
{
	return sizeof(struct hash) + slots * sizeof(uint32_t);
}

bool tree_init(struct tree *tree, uint32_t thread)
{
	tree->hash = sys_memory(hash_bytes(FIRST_SLOTS));
	if (!tree->hash)
		return false;
	tree->hash->mask = FIRST_SLOTS - 1;
	tree->next_bytes = FIRST_SECTION;
	tree->thread = thread;
	tree->section = NULL;
	return true;
}

void tree_fini(struct tree *tree)
{
	sys_memory_free(tree->hash, hash_bytes(tree->hash->mask + 1));
}

/* ---- room */

/* How many nodes of `wanted` the budget still grants. */
static uint32_t grant(struct process *p, uint32_t wanted)
{
	uint32_t taken = __atomic_load_n(&p->nodes, __ATOMIC_RELAXED), granted;

	do {
		uint32_t left = p->options.max_nodes > taken ? p->options.max_nodes - taken : 0;

		granted = wanted < left ? wanted : left;
	} while (!__atomic_compare_exchange_n(&p->nodes, &taken, taken + granted, false,
					      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	return granted;
}

/* Whole granules; the first node of a section stands after the 64 bytes of its header. */
static uint32_t nodes_in(uint64_t bytes)
{
	return (uint32_t)((bytes - sizeof(struct zprof_section)) / ZPROF_NODE_BYTES);
}

static bool more_room(struct process *p, struct tree *tree)
{
	uint32_t wanted = nodes_in(tree->next_bytes), granted = grant(p, wanted);
	struct zprof_section *section;

	if (!granted) {
		process_count(p, ZPROF_LOSS_BUDGET, 1);
		return false;
	}
	section = file_section(p, ZPROF_SECTION_NODES, tree->thread,
			       sizeof(*section) + (uint64_t)granted * ZPROF_NODE_BYTES);
	if (!section) {
		__atomic_sub_fetch(&p->nodes, granted, __ATOMIC_RELAXED);
		process_count(p, ZPROF_LOSS_SPACE, 1);
		return false;
	}
	section->previous = tree->section ? (uint64_t)((char *)tree->section - p->file.base) : 0;
	tree->section = section;
	if (tree->next_bytes < LAST_SECTION)
		tree->next_bytes *= 2;
	return true;
}

static struct zprof_node *new_node(struct process *p, struct tree *tree, bool *slow)
{
	struct zprof_section *s = tree->section;
	struct zprof_node *node;

	if (!s || s->used + ZPROF_NODE_BYTES > s->bytes) {
		*slow = true;
		if (!more_room(p, tree))
			return NULL;
		s = tree->section;
	}
	node = (struct zprof_node *)((char *)s + s->used);
	s->used += ZPROF_NODE_BYTES;
	return node;
}

struct zprof_node *tree_root(struct process *p, struct tree *tree)
{
	bool slow;

	return new_node(p, tree, &slow);
}

/* ---- the hash */

static inline uint32_t first_slot(uint64_t zone, uint32_t parent, uint32_t mask)
{
	uint64_t h = (zone ^ (uint64_t)parent << 40 ^ parent) * 0x9e3779b97f4a7c15u;

	return (uint32_t)(h >> 32) & mask;
}

static void insert(struct hash *hash, uint64_t zone, uint32_t parent, uint32_t reference)
{
	uint32_t i = first_slot(zone, parent, hash->mask);

	while (hash->slots[i])
		i = (i + 1) & hash->mask;
	hash->slots[i] = reference;
	hash->count++;
}

/*
 * The old table stays valid until the new one is complete, and is what remains if there is no
 * memory for a new one.
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
			const struct zprof_node *node = node_at(base, old->slots[i]);

			insert(larger, node->zone, node->parent, old->slots[i]);
		}
	tree->hash = larger;
	sys_memory_free(old, hash_bytes(old->mask + 1));
	return true;
}

struct zprof_node *tree_find(const struct process *p, const struct tree *tree,
			     const struct zprof_node *parent, uint64_t zone)
{
	char *base = p->file.base;
	uint32_t parent_ref = node_reference(base, parent), i;

	for (i = first_slot(zone, parent_ref, tree->hash->mask); tree->hash->slots[i];
	     i = (i + 1) & tree->hash->mask) {
		struct zprof_node *node = node_at(base, tree->hash->slots[i]);

		if (node->zone == zone && node->parent == parent_ref &&
		    !(ZPROF_NODE_FLAGS(node) & ZPROF_NODE_RETIRED))
			return node;
	}
	return NULL;
}

struct zprof_node *tree_child(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone, bool *slow)
{
	char *base = p->file.base;
	uint32_t parent_ref = node_reference(base, parent), reference;
	struct zprof_node *node = tree_find(p, tree, parent, zone);
	const struct module *module;

	if (node)
		return node;
	if (tree->hash->count >= (tree->hash->mask + 1) / 2) {
		*slow = true;
		if (!rehash(tree, base)) {
			process_count(p, ZPROF_LOSS_SPACE, 1);
			return NULL;
		}
	}
	node = new_node(p, tree, slow);
	if (!node)
		return NULL;
	reference = node_reference(base, node);
	module = ZPROF_ZONE_KIND(zone) == ZPROF_ZONE_NATIVE ? module_discover(p, zone) : NULL;
	node->module = module ? module->id : 0;
	node->parent = parent_ref;
	node->zone = zone;
	twin_of(node)->next = reference;
	insert(tree->hash, zone, parent_ref, reference);
	return node;
}

/*
 * What is left of the section at hand is given up: a section is where nodes come from, and there is
 * one at a time.
 */
void tree_reserve(struct process *p, struct tree *tree)
{
	uint32_t before = tree->next_bytes;

	tree->next_bytes = LAST_SECTION;
	more_room(p, tree);
	tree->next_bytes = before;
	while (tree->hash->mask + 1 < 4 * nodes_in(LAST_SECTION) && rehash(tree, p->file.base))
		;
}
