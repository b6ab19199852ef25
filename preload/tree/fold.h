/* SPDX-License-Identifier: MIT */
/*
 * fold.h - a tree of contexts that stays bounded, whatever the program does.
 *
 * The tree has a node for each state of the zone stack, and a program can have more such states
 * than memory: two functions that call each other 40 deep have 2^40 states, a chain of 25 functions
 * that each have two ways to call the next has 2^25. Three things happen, in this order:
 *
 * 1. At first each level of a recursion has a node of its own, up to `recursion=` levels of one
 *    zone; without that option, until three eighths of the budget (max_nodes) are used. A plain
 *    recursion a million deep is recorded a million deep.
 *
 * 2. After that, a zone that is entered again *folds*. Its new node counts calls and self time like
 *    any other node, but its children are kept below its *heir*, an ancestor of the same zone:
 *
 *        root -- f -- g -- f -- g -- f        heir of the last f: the f before it, whose path
 *                          ^---------'        already has all zones in between (g)
 *
 *    So the heir's path holds the same zones as the real path, which keeps reports right. Totals
 *    and parents' lines depend only on whether a zone is on the path and which zone called it
 *    first, so they stay exact to the tick. (The time of an inner recursion may be shown under
 *    another callee.)
 *
 * 3. When the budget is used up, or the disk is full, new contexts *spill* into the *overflow
 *    table*. The table lies in the same tree, is made of nodes set aside before, and has one node
 *    per pair of caller and callee. So calls, self times and arcs stay exact. Totals may come out
 *    too low, and such totals are marked: those of all zones that were open when a context spilled,
 *    and of the callers in the table.
 *
 *        root -+- main -- ... -- f            f is SPILLED: something it called has no node there
 *              '- (overflow) -+- f -- g       g called by f, whatever called f
 *                             '- g -- h       the heir of `f -- g` is this g
 *
 * Zones lent by an interpreter neither fold nor spill, because they have further records for each
 * context (lent.h). A lent zone that finds no room gets a placeholder (track/lent.h), and its call
 * is counted as lost.
 *
 * The child of a folded node, found below its heir, must never be the folded node itself: two stack
 * frames with one node, one right above the other, mean a placeholder. So a zone that calls itself
 * directly alternates between two nodes.
 */
#ifndef ZPROF_FOLD_H
#define ZPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

/* The option recursion= where it was not given. */
#define FOLD_DECIDES UINT32_MAX

struct heirs;
struct process;
struct tree;
struct zprof_node;

/*
 * The node below which the children of `node` are kept: mostly `node` itself. So they are if `node`
 * folded in another tree, that of a thread whose hook a handler has interrupted. NULL: the heir is
 * not made yet (fold_spill() makes it).
 */
struct zprof_node *fold_heir(const struct process *p, const struct tree *tree,
			     struct zprof_node *node);

/*
 * The ancestor into which a new node for `zone` below `parent` should fold; NULL: the new node
 * should not fold.
 */
struct zprof_node *fold_into(const struct process *p, struct zprof_node *parent, uint64_t zone);

/* Makes `heir` the heir of the new node `node`. False: no memory, and the node is not folded. */
bool fold_mark(struct process *p, struct tree *tree, struct zprof_node *node,
	       const struct zprof_node *heir);

/*
 * Frees the heirs of a tree in which no node will be looked for any more. NULL: the tree has none.
 */
void fold_forget(struct heirs *heirs);

/*
 * The node of the overflow table that counts for `zone` called from `parent`. NULL: the table is
 * full, too.
 */
struct zprof_node *fold_spill(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone);

/* Whether so much of the budget is spent that recursion folds from its second level on. */
bool fold_presses(const struct process *p);

#endif
