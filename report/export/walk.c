/* SPDX-License-Identifier: MIT */
/* walk.c - see walk.h. A path may be a million deep, so no function here is recursive. */
#include "report/export/walk.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

void walk_thread(const struct tree *t, const struct tree_children *c, uint32_t thread,
		 const struct walk *w, void *context)
{
	uint32_t root = t->threads[thread].root, at = root, depth = 0;
	for (;;) {
		uint32_t next = c->first[at];
		while (next == TREE_NONE && at != root) {
			if (w->leave)
				w->leave(context, at, depth);
			depth--;
			next = c->next[at];
			at = t->nodes[at].parent;
		}
		if (next == TREE_NONE)
			return;
		at = next;
		depth++;
		if (w->enter)
			w->enter(context, at, depth);
	}
}

struct paths {
	const struct tree *t;
	void (*each)(void *context, uint32_t node, const struct path *path);
	void *context;
	uint32_t *on_path;  /* by zone: how many times the path has it */
	uint32_t *zones;    /* the path's first zones, WALK_DEEPEST at most */
	uint32_t *distinct; /* each zone of the path once; room for one more */
	size_t distinct_count, shortened;
};

static void enter_path(void *context, uint32_t node, uint32_t depth)
{
	struct paths *p = context;
	uint32_t zone = p->t->nodes[node].zone;
	if (p->on_path[zone]++ == 0)
		p->distinct[p->distinct_count++] = zone;
	struct path path = {p->zones, depth};
	if (depth <= WALK_DEEPEST) {
		p->zones[depth - 1] = zone;
	} else {
		path = (struct path){p->distinct, p->distinct_count};
		if (p->distinct[p->distinct_count - 1] != zone)
			p->distinct[path.count++] = zone;
		p->shortened++;
	}
	p->each(p->context, node, &path);
}

static void leave_path(void *context, uint32_t node, uint32_t depth)
{
	struct paths *p = context;
	(void)depth;
	if (--p->on_path[p->t->nodes[node].zone] == 0)
		p->distinct_count--;
}

size_t walk_paths(const struct tree *t, const struct tree_children *c, uint32_t thread,
		  size_t zone_count,
		  void (*each)(void *context, uint32_t node, const struct path *path),
		  void *context)
{
	static const struct walk steps = {enter_path, leave_path};
	struct paths p = {.t = t, .each = each, .context = context};
	p.on_path = memory_zeroed(zone_count, sizeof *p.on_path);
	p.zones = memory_zeroed(WALK_DEEPEST, sizeof *p.zones);
	p.distinct = memory_zeroed(zone_count + 1, sizeof *p.distinct);
	walk_thread(t, c, thread, &steps, &p);
	free(p.on_path);
	free(p.zones);
	free(p.distinct);
	return p.shortened;
}
