/* SPDX-License-Identifier: MIT */
/*
 * walk.h - walks over the contexts of a thread, callers before callees, in the order of their first
 * calls. A second kind of walk also gives each context's path.
 */
#ifndef REPORT_WALK_H
#define REPORT_WALK_H

#include "report/core/tree/tree.h"

struct walk {
	/* DEPTH is 1 for a thread's outermost zones. Either function may be NULL. */
	void (*enter)(void *context, uint32_t node, uint32_t depth);
	void (*leave)(void *context, uint32_t node, uint32_t depth);
};

/* Walks over the nodes of a thread, but not over its root. */
void walk_thread(const struct tree *t, const struct tree_children *c, uint32_t thread,
		 const struct walk *w, void *context);

/*
 * A format that writes out the path of each context would grow with the square of the depth. So a
 * path deeper than this is shortened: it has each zone once, where the path first enters it, and
 * the innermost zone at its end. Self times and totals of zones stay right.
 */
#define WALK_DEEPEST 512

struct path {
	const uint32_t *zones; /* outermost first */
	size_t count;
};

/* Calls EACH for all contexts of a thread. ZONE_COUNT is as in derive(). Returns the number of
 * contexts whose paths were shortened. */
size_t walk_paths(const struct tree *t, const struct tree_children *c, uint32_t thread,
		  size_t zone_count,
		  void (*each)(void *context, uint32_t node, const struct path *path),
		  void *context);

#endif
