/* SPDX-License-Identifier: MIT */
/* sound.c - see sound.h. */
#include "preload/track/sound.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/tree/tree.h"
#include "preload/track/track.h"

/* A node that stands for more than its own context, or no context any more. */
static bool is_shared(const struct zprof_node *node)
{
	return (ZPROF_NODE_FLAGS(node) & ~ZPROF_NODE_TOLD) != 0;
}

const char *track_sound(const struct track *track)
{
	uintptr_t below = UINTPTR_MAX;
	const struct open_zone *f;

	if (track->top < track->bottom || track->top >= track->limit)
		return "the top is outside of the stack";
	if (track->bottom->cfa != UINTPTR_MAX)
		return "the bottom's CFA is not all ones";
	for (f = track->bottom + 1; f <= track->top; f++) {
		uint32_t parent = node_reference(track->base, f[-1].node);

		if (f->cfa == UINTPTR_MAX) { /* a barrier: another stack begins */
			below = UINTPTR_MAX;
			continue;
		}
		if (f->cfa > below)
			return "a CFA is above that of the zone below it";
		if (f->node->parent != parent && !is_shared(f->node) && !is_shared(f[-1].node))
			return "a zone's node is no child of the node below it";
		below = f->cfa;
	}
	if (*track->current != node_reference(track->base, track->top->node))
		return "the profile's current node is not the top's";
	return NULL;
}

static const char *section_sound(const struct process *p, const struct tree *tree,
				 struct zprof_section *s)
{
	struct zprof_node *node = (struct zprof_node *)(s + 1);
	struct zprof_node *end = (struct zprof_node *)((char *)s + s->used);

	if (s->used > s->bytes)
		return "a section holds more than it has room for";
	for (; node < end; node++) {
		uint32_t own = node_reference(p->file->base, node);

		if (own == tree->root || is_shared(node))
			continue;
		if (!node->parent)
			return "a node has no parent";
		if (tree_find(p, tree, node_at(p->file->base, node->parent), node->zone) != node)
			return "a node is not found by its parent and zone";
	}
	return NULL;
}

const char *tree_sound(const struct process *p, const struct tree *tree)
{
	struct zprof_section *s = tree->section;
	const char *wrong = NULL;

	if (tree->hash->count > ((uint64_t)tree->hash->mask + 1) / 8 * 7)
		return "the hash is too full";
	while (s && !wrong) {
		wrong = section_sound(p, tree, s);
		s = s->previous ? (struct zprof_section *)(p->file->base + s->previous) : NULL;
	}
	return wrong;
}
