/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the context tree that all views are derived from: one node per context, even if the
 * files have several.
 *
 *     nodes:  [root of thread 0] [main] [ai] [cast] ... [root of thread 1] ...
 *               ^-------parent----'  ^-----'  '-- a node's parent always stands before it
 *
 * Invariants, asserted by tree_check():
 * - a node's parent has a smaller index; only a root is its own parent, and it is in zone 0
 * - besides roots, only a thread's overflow table is in zone 0; it stands directly above the root
 * - no two nodes have the same parent and zone
 * - a node is in its parent's thread
 *
 * Because parents come first, a loop from the last node to the first sums subtrees, and a loop from
 * the first to the last passes values from parents to children. So no view needs recursion, and a
 * path may be a million deep.
 */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include <stdbool.h>

#include "report/core/times/cost.h"
#include "report/core/base/lookup.h"

#define TREE_NONE UINT32_MAX

/* How often zones lent by an interpreter were entered, re-entered and left. */
struct visits {
	uint64_t entered, reentered, returned, abandoned;
};

static inline void visits_add(struct visits *to, const struct visits *v)
{
	to->entered += v->entered;
	to->reentered += v->reentered;
	to->returned += v->returned;
	to->abandoned += v->abandoned;
}

/* Calls of a node that were made at one place (places.h); or samples there. */
struct tree_call {
	uint32_t place;
	uint32_t next; /* the node's next; 0: none */
	uint64_t calls;
	/* Times measured for these calls: weights, by which the node's cost is divided. */
	double total_ns, self_ns;
	bool sampled; /* samples of the node itself at this place, weighted by self_ns */
	bool kernel;  /* ... which found it in the kernel */
	/* Of samples in a list of chains: the functions between the node's and this place (chains.h). */
	uint32_t chain;
};

struct node {
	uint32_t zone; /* number in struct zones */
	uint32_t parent;
	uint32_t thread; /* index into threads */
	/*
	 * 1: entered, not returned: a zone stack ends in this node or in one under it. In a folded
	 * tree, the number of threads for which that is so.
	 */
	uint16_t open;
	uint16_t low; /* 1: some calls under it are in the overflow table instead */
	uint64_t calls;
	struct cost self;
	struct visits visits;
	uint32_t first_call; /* index into tree_call's of the tree; 0: no places are known */
	/*
	 * A second list of tree_call's: samples of the node by their places in the kernel. The first
	 * list has them, too, by their places in the program. 0: there are none.
	 */
	uint32_t first_kernel;
	/*
	 * A third list: samples by the chain of functions that led there, and the beginning of the
	 * function that ran, or the place in the kernel. The other lists have them, too. 0: none.
	 */
	uint32_t first_chain;
};

/* A thread, or lineage of threads, of one process. */
struct tree_thread {
	char name[17];
	uint32_t id; /* in its profile; 0: unknown */
	uint32_t tid, pid;
	uint32_t count;   /* threads it stands for */
	uint32_t root;    /* its node */
	uint32_t process; /* index into the processes that were loaded */
};

struct tree {
	struct node *nodes;
	size_t count, room;
	struct tree_thread *threads;
	size_t thread_count, thread_room;
	struct tree_call *calls; /* [0] is not used */
	size_t call_count, call_room;
	struct lookup by_parent; /* (parent, zone) -> node */
};

/* Adds a thread and its root; gives its index. T's root is set here. */
uint32_t tree_add_thread(struct tree *t, const struct tree_thread *thread);

/* The node for ZONE with this PARENT, made if there is none. The nodes may move. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t zone);

/* Adds calls made at one place to a node. The call's `next` is set here. */
void tree_add_call(struct tree *t, uint32_t node, const struct tree_call *call);

/* Adds samples of a node at one place in the kernel. */
void tree_add_kernel(struct tree *t, uint32_t node, const struct tree_call *samples);

/* Adds samples of a node that have a chain. */
void tree_add_chain(struct tree *t, uint32_t node, const struct tree_call *samples);

/* Adds the calls of a node of another tree, and its samples; unless COUNTED, the samples alone. */
void tree_add_calls(struct tree *t, uint32_t node, const struct tree *from, const struct node *of,
		    bool counted);

/*
 * The weight of all samples of a node: a place of samples (struct tree_call) has the share self_ns /
 * weight of the node's time on a processor. *UNPLACED: the share that no sample has placed, because the
 * memory for notes was full in a long stretch without hooks, or the place gave way to others. If enough
 * samples were placed, that share is divided in the same proportions, and *UNPLACED tells how much of a
 * result rests on that; otherwise it is left out, and *UNPLACED is 0.
 */
double tree_sampled_weight(const struct tree *t, const struct node *n, double *unplaced);

/* After this, existing nodes get no more children, and the index that finds children by parent is
 * freed. Threads with nodes of their own may still be added. */
void tree_seal(struct tree *t);

void tree_free(struct tree *t);

/* Whether the invariants hold. */
bool tree_check(const struct tree *t);

/* Sum of self over each thread's nodes: its time inside and outside of zones. free() it. */
int64_t *tree_thread_ticks(const struct tree *t);

/* Cost of each node with everything below it; free() it. */
struct cost *tree_totals(const struct tree *t);

/* Children as lists, sorted by index: first[n] is n's first child, next[n] its next sibling,
 * TREE_NONE ends a list. Roots are in no list. */
struct tree_children {
	uint32_t *first, *next;
};

struct tree_children tree_children(const struct tree *t);
void tree_children_free(struct tree_children *c);

#endif
