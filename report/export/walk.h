/* SPDX-License-Identifier: MIT */
/*
 * walk.h - one walk over the contexts of a thread, callers before callees, in the order of their
 * first calls; and the same with each context's path.
 */
#ifndef REPORT_WALK_H
#define REPORT_WALK_H

#include "report/core/tree/tree.h"

struct walk {
	/* DEPTH: 1 for a thread's outermost zones. Either may be NULL. */
	void (*enter)(void *context, uint32_t node, uint32_t depth);
	void (*leave)(void *context, uint32_t node, uint32_t depth);
};

/* The thread's root is not among the nodes. */
void walk_thread(const struct tree *t, const struct tree_children *c, uint32_t thread,
		 const struct walk *w, void *context);

/*
 * Formats that write out the path of each context would grow with the square of the depth. So a
 * deeper path is shortened: each zone once, where it was first entered, and the innermost at the
 * end. Self times and totals of zones stay right.
 */
#define WALK_DEEPEST 512

struct path {
	const uint32_t *zones; /* outermost first */
	size_t count;
};

/*
 * Calls EACH for all contexts of a thread. ZONE_COUNT as in derive(). Gives the number of contexts
 * whose paths were shortened.
 */
size_t walk_paths(const struct tree *t, const struct tree_children *c, uint32_t thread,
		  size_t zone_count,
		  void (*each)(void *context, uint32_t node, const struct path *path),
		  void *context);

#endif
