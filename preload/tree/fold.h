/* SPDX-License-Identifier: MIT */
/*
 * fold.h - a tree of contexts that stays bounded, whatever the program does.
 *
 * The tree has a node for each state of the zone stack, and a program can have more states than
 * memory: two functions that call each other 40 deep have 2^40, a chain of 25 functions that each
 * have two ways to call the next has 2^25. Three things happen, in this order:
 *
 * 1. Recursion has a node for each level, up to `recursion=` levels of one zone; without that
 *    option, until three eighths of the budget (max_nodes) are used. A plain recursion a million
 *    deep is recorded a million deep.
 *
 * 2. Then a zone that is entered again *folds*. Its new node counts calls and self time like any
 *    other, but its callees are looked up below its *heir*, an ancestor of the same zone:
 *
 *        root -- f -- g -- f -- g -- f        heir of the last f: the f before it, whose path
 *                          ^---------'        already has all zones in between (g)
 *
 *    That condition keeps reports right: the heir's path holds the same zones as the real one.
 *    Totals and parents' lines only ask whether a zone is on the path and what called it first, so
 *    they stay exact to the tick. (The time of an inner recursion may be shown under another
 *    callee.)
 *
 * 3. When the budget is used up, or the disk is full, contexts go to the *overflow table*, in
 *    the same tree, made of nodes set aside before: one node per pair of caller and callee. So
 *    calls, self times and arcs stay exact. Totals do not, and totals that may be low are marked:
 *    those of all zones that were open when something spilled, and of the callers in the table.
 *
 *        root -+- main -- ... -- f            f is SPILLED: something it called has no node there
 *              '- (overflow) -+- f -- g       g called by f, whatever called f
 *                             '- g -- h       the heir of `f -- g` is this g
 *
 * Zones lent by an interpreter neither fold nor spill: they have records by context (lent.h). A
 * lent zone that finds no room becomes a placeholder and is counted as lost.
 *
 * A node and its heir's child must never be the same: two frames with the same node, one above the
 * other, mean a placeholder. So a zone that recurs directly alternates between two.
 */
#ifndef ZPROF_FOLD_H
#define ZPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct heirs;
struct process;
struct tree;
struct zprof_node;

/*
 * The node below which the children of `node` are kept: mostly `node` itself. NULL: there is none
 * yet (fold_spill() makes it).
 */
struct zprof_node *fold_heir(const struct process *p, const struct tree *tree,
			     struct zprof_node *node);

/*
 * The node that a new one for `zone` below `parent` should fold into; NULL: the new node stays as
 * it is.
 */
struct zprof_node *fold_into(const struct process *p, struct zprof_node *parent, uint64_t zone);

/* Makes `heir` the heir of `node`, which is new. False: no memory; the node stands as it is. */
bool fold_mark(struct process *p, struct tree *tree, struct zprof_node *node,
	       const struct zprof_node *heir);

/* Frees the heirs of a tree in which nothing will be looked for any more; NULL: it has none. */
void fold_forget(struct heirs *heirs);

/*
 * The node of the overflow table that counts for `zone` called from `parent`. NULL: the table is
 * full, too.
 */
struct zprof_node *fold_spill(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone);

/* Whether so much of the budget is spent that recursion is folded at once. */
bool fold_presses(const struct process *p);

#endif
