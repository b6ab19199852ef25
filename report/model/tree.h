/* SPDX-License-Identifier: MIT */
/*
 * tree.h - the context tree all views are derived from: one node a context, whatever the files
 * held.
 *
 *     nodes:  [root of thread 0] [main] [ai] [cast] ... [root of thread 1] ...
 *               ^-------parent----'  ^-----'  '-- a node's parent always stands before it
 *
 * Invariants, asserted by tree_check(): parent < own index, but for roots, which are their own
 * parents and in zone 0; only the overflow table of a thread is in zone 0 as well, directly above
 * the root; no two nodes have the same parent and zone; a node is in its parent's thread.
 *
 * Because parents come first, a loop downwards over the array sums subtrees and a loop upwards
 * hands things down the paths; no view needs recursion, and a path a million deep is an array like
 * any other.
 */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include <stdbool.h>

#include "report/model/cost.h"
#include "report/base/lookup.h"

#define TREE_NONE UINT32_MAX

/* How often zones that an interpreter lent were entered again, and left. */
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

struct node {
	uint32_t zone; /* number in struct zones */
	uint32_t parent;
	uint32_t thread; /* index into threads */
	uint16_t open;   /* 1: a zone stack ends in this node or above it: entered, not returned */
	uint16_t low;    /* 1: some of what ran above it is in the overflow table instead */
	uint64_t calls;
	struct cost self;
	struct visits visits;
};

/* A thread, or lineage of threads, of one process. */
struct tree_thread {
	char name[17];
	uint32_t tid, pid;
	uint32_t count; /* threads it stands for */
	uint32_t root;  /* its node */
};

struct tree {
	struct node *nodes;
	size_t count, room;
	struct tree_thread *threads;
	size_t thread_count, thread_room;
	struct lookup by_parent; /* (parent, zone) -> node */
};

/* Adds a thread and its root; gives its index. T's root is set here. */
uint32_t tree_add_thread(struct tree *t, const struct tree_thread *thread);

/* The node for ZONE below PARENT, made when there is none. The nodes may move. */
uint32_t tree_child(struct tree *t, uint32_t parent, uint32_t zone);

/*
 * No node that is there now gets another child: what finds children by parent is thrown away.
 * Threads may still be added, with nodes of their own.
 */
void tree_seal(struct tree *t);

void tree_free(struct tree *t);

/* Whether the invariants hold. */
bool tree_check(const struct tree *t);

/* Cost of each node with everything below it; free() it. */
struct cost *tree_totals(const struct tree *t);

/*
 * Children as lists: first[n] is n's first child, next[n] the next with the same parent, TREE_NONE
 * at the end, in order of their index. Roots are in no list.
 */
struct tree_children {
	uint32_t *first, *next;
};

struct tree_children tree_children(const struct tree *t);
void tree_children_free(struct tree_children *c);

#endif
