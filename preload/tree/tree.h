/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the calling context tree: one node for each state the zone stack has been in.
 *
 * A program in which cast() is called by ai() and by physics(), and the tree that results:
 *
 *     main()  { physics(); ai(); }              root -- main -+- physics -- cast -- march
 *     physics() { cast(); }                                   '- ai ------- cast -- march
 *     ai()    { cast(); cast(); }
 *     cast()  { march(); }                      7 nodes; cast below ai is a node of its own
 *
 * A node has two halves, which lie at a constant distance (planes.h). The public half, in the
 * profile (struct zprof_node: zone, calls, ticks, parent), outlives the process. The private half
 * is the *twin*, by which the hot path finds the next node:
 *
 *     node                              node + PLANES_TWIN
 *     [zone|calls|self_ticks|parent]    [ret|exit_ret|rule|host|samples|tally]    32 bytes each
 *
 * ## Finding the child
 *
 * Nearly every call has been made before from the same state. So each tree has a small associative
 * memory of children that were entered not long ago, looked up by (parent, zone); other children
 * are found by a hash of the same pair. Each answer is checked by the zone and the location of the
 * hook, so a wrong answer costs time and nothing else.
 *
 * The number of instructions matters less here than which load waits for which. The node of one
 * call is known only when the node of the call before is known, so a chain of loads runs through
 * all of a program's calls. The place of an answer in the memory is found by one addition to the
 * parent's number, and does not depend on the child that was entered last. So calls of one parent
 * need not wait for each other, and two hundred callees in an unpredictable order cost as much as
 * one.
 *
 * Rejected: to guess the child that last time followed the latest child, which makes each call wait
 * for two loads, one after the other, and fails for callees in random order; a list of children,
 * searched and moved to front (236 ns a call with 200 callees); the hash alone, whose function has
 * to scatter better and so takes longer; a cache in the function's own code or data, as IProf has
 * it (the hooks have no storage per call site).
 *
 * ## Signals
 *
 * A tree is written by one zone stack of one thread. A signal handler that interrupts a hook does
 * not touch the tree the hook is working on: it counts in a tree of its own level (track.h). So no
 * store here is atomic. The order of stores matters only to a reader of the file: a node is
 * complete before a hash slot or a call count refers to it.
 *
 * Invariants: every node's parent stands before it in the file, or is in the tree of a lower level;
 * the hash holds each node but the root exactly once; count <= (mask + 1) / 8 * 7, and <= (mask +
 * 1) / 2 as long as there is memory for a larger hash.
 */
#ifndef ZPROF_TREE_H
#define ZPROF_TREE_H

#include "preload/profile/file.h"
#include "preload/format.h"
#include "preload/tree/node.h"
#include "preload/tree/twin.h"

#include <stdbool.h>
#include <stdint.h>

struct process;

struct heirs;

/*
 * The nodes of a tree, by linear probing. A slot is a node's reference with 8 bits of its hash on
 * top. By these bits nearly all wrong nodes are passed over without a look at them, which would be
 * a cache miss each.
 */
struct hash {
	uint32_t mask;
	uint32_t count;
	uint32_t slots[]; /* 0: empty */
};

#define SLOT_REFERENCE_BITS 24
#define SLOT_REFERENCE      ((1u << SLOT_REFERENCE_BITS) - 1)

_Static_assert(PLANES_BYTES / ZPROF_NODE_BYTES <= SLOT_REFERENCE + 1, "a slot holds any reference");

/* A child that was entered not long ago. */
struct callee {
	uint32_t parent, node; /* references; 0: none */
};

#define TREE_CALLEES      8192
#define TREE_CALLEE_HASH  0x9e3779b1u
#define TREE_CALLEE_SHIFT 19 /* leaves as many bits as TREE_CALLEES has */

struct tree {
	struct callee *callees; /* [TREE_CALLEES] */
	struct hash *hash;
	struct zprof_section *section; /* where nodes are handed out from */
	struct zprof_section *spare;   /* nodes set aside for the overflow table (fold.h) */
	struct zprof_section *extras;  /* records of lent zones (lent.h) */
	struct heirs *heirs;           /* of folded nodes (fold.h); NULL: there are none */
	uint32_t root;                 /* reference of the thread's root, maybe of another tree */
	/* reference of the overflow table's node of zone 0; 0: no table */
	uint32_t overflow;
	uint32_t next_bytes; /* size of the next section: doubles up to 1 MiB */
	uint32_t thread;     /* id, for the sections */
};

static inline uint64_t tree_hash(uint64_t zone, uint32_t parent)
{
	return (zone ^ (uint64_t)parent << 40 ^ parent) * 0x9e3779b97f4a7c15u;
}

/* The slot where the child with hash `h` is looked for first. */
static inline uint32_t tree_slot(const struct hash *hash, uint64_t h)
{
	return (uint32_t)(h >> 32) & hash->mask;
}

/* Whether a slot may hold the child with hash `h`. */
static inline bool tree_slot_may_hold(uint32_t slot, uint64_t h)
{
	return slot >> SLOT_REFERENCE_BITS == h >> (32 + SLOT_REFERENCE_BITS);
}

/*
 * Where the child of `parent` for a zone is remembered, unless another child has taken the place.
 * The zone is multiplied and the parent only added, because a hook knows its zone long before the
 * parent.
 */
static inline struct callee *tree_callee(struct callee *callees, uint64_t zone, uint32_t parent)
{
	return &callees[(((uint32_t)zone * TREE_CALLEE_HASH >> TREE_CALLEE_SHIFT) + parent) %
			TREE_CALLEES];
}

/* False: no memory. A tree has no node until tree_root(). */
bool tree_init(struct tree *tree, uint32_t thread);

/* Frees a tree that has no node. */
void tree_fini(struct tree *tree);

/*
 * Frees the tables of a tree in which no node will be looked for or made any more. Its nodes stay.
 */
void tree_forget(struct tree *tree);

/*
 * Forgets which children were entered not long ago. May be called while another thread enters
 * them: a memory of parent or node alone leads to no child.
 */
void tree_forget_callees(struct tree *tree);

/* Makes room for thousands of nodes at once. */
void tree_reserve(struct process *p, struct tree *tree);

/* A node without a parent. NULL: no room; the loss is counted. */
struct zprof_node *tree_root(struct process *p, struct tree *tree);

/* The child of `parent` for a zone, or NULL. */
struct zprof_node *tree_find(const struct process *p, const struct tree *tree,
			     struct zprof_node *parent, uint64_t zone);

/*
 * The child of `parent` for a zone, made if it is missing; folded or in the overflow table if need
 * be (fold.h). *slow becomes true if the hash or the file had to grow: that time is to be charged
 * to the library itself. NULL: no room at all; the loss is counted.
 */
struct zprof_node *tree_child(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone, bool *slow);

/* Calls `visit` for all nodes of the tree, the overflow table's too. */
void tree_visit(const struct process *p, const struct tree *tree,
		void (*visit)(void *context, struct zprof_node *node), void *context);

/*
 * For fold.c. tree_below() finds the node with exactly this parent, or NULL. tree_spare() makes a
 * new node out of those set aside.
 */
struct zprof_node *tree_below(const struct process *p, const struct tree *tree,
			      const struct zprof_node *parent, uint64_t zone);
struct zprof_node *tree_spare(struct process *p, struct tree *tree, uint32_t parent, uint64_t zone);

#endif
