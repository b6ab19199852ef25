/* SPDX-License-Identifier: MIT */
/*
 * fold.h - a tree of contexts that stays bounded, whatever the program does.
 *
 * The tree has a node for each state of the zone stack, and a program can have more of those than
 * there is memory: two functions that call each other 40 deep have 2^40, a chain of 25 functions
 * that each have two ways to call the next, 2^25. Three things happen, in this order:
 *
 * 1. Recursion is kept as it is, a node for each level, up to `recursion=` levels of one zone; and
 *    where that was not given, until three eighths of the budget (max_nodes) are spent. A plain
 *    recursion a million deep comes out a million deep.
 *
 * 2. Then a zone that is entered again *folds*. Its new node counts calls and self time as any
 * other, but what it calls is looked for below its *heir*, an ancestor of the same zone:
 *
 *        root -- f -- g -- f -- g -- f        heir of the last f: the f before it, whose path
 *                          ^---------'        has all that lies in between (g) already
 *
 *    That condition is what keeps reports right: the path below the heir holds the same zones as
 * the real one, so every total and every parent's line, which ask only whether a zone is on the
 * path and who called it first, stays exact to the tick. (Which callee an inner recursion's time is
 *    shown under may differ.)
 *
 * 3. When the budget is spent, or the disk full, contexts go to the *overflow table*, kept in the
 *    same tree, from nodes put aside beforehand: a node for each pair of caller and callee. So
 * calls, self times and arcs stay exact. Totals do not, and those that may be low are marked: of
 * all zones that were open when something spilled, and of the callers in the table.
 *
 *        root -+- main -- ... -- f            f is SPILLED: something it called has no node there
 *              '- (overflow) -+- f -- g       g called by f, whoever called f
 *                             '- g -- h       the heir of `f -- g` is this g
 *
 * Zones lent by an interpreter do neither: they have records by context (lent.h), and one that
 * finds no room is a placeholder, and counted as lost.
 *
 * A node and its heir's child must never be the same: two frames with the same node, one above the
 * other, mean a placeholder. So a zone that recurs directly alternates between two.
 */
#ifndef ZPROF_FOLD_H
#define ZPROF_FOLD_H

#include <stdbool.h>
#include <stdint.h>

struct process;
struct tree;
struct zprof_node;

/*
 * The node whose children are those of `node`: mostly itself. NULL: there is none yet (fold_spill()
 * makes it).
 */
struct zprof_node *fold_heir(const struct process *p, const struct tree *tree,
			     struct zprof_node *node);

/* Who a new node for `zone` below `parent` should fold into; NULL: it is to stand as it is. */
struct zprof_node *fold_into(const struct process *p, struct zprof_node *parent, uint64_t zone);

/* Makes `heir` that of `node`, which is new. False: no memory; the node stands as it is. */
bool fold_mark(struct process *p, struct tree *tree, struct zprof_node *node,
	       const struct zprof_node *heir);

/*
 * The node of the overflow table that counts for `zone` called from `parent`. NULL: that is full,
 * too.
 */
struct zprof_node *fold_spill(struct process *p, struct tree *tree, struct zprof_node *parent,
			      uint64_t zone);

/* Whether so much of the budget is spent that recursion is folded at once. */
bool fold_presses(const struct process *p);

#endif
