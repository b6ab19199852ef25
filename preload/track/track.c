/* SPDX-License-Identifier: MIT */
/* track.c - see track.h. */
#include "preload/track/track.h"

#include "preload/base/sys.h"
#include "preload/code/location.h"
#include "preload/code/only.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/sample/ring.h"
#include "preload/sites/sites.h"
#include "preload/tree/tree.h"
#include "preload/track/lineage.h"

#define FIRST_FRAMES 1024u

__thread struct track track_self = {.busy = TRACK_UNREADY};

bool track_init(struct track *track, struct tree *tree, struct process *p, uint32_t thread,
		uint32_t level)
{
	struct open_zone *frames = sys_memory(FIRST_FRAMES * sizeof(*frames));

	if (!frames || !tree_init(tree, thread)) {
		sys_memory_free(frames, FIRST_FRAMES * sizeof(*frames));
		return false;
	}
	track->bottom = track->top = frames;
	track->limit = frames + FIRST_FRAMES;
	track->bottom->cfa = UINTPTR_MAX;
	track->tree = tree;
	track->callees = tree->callees;
	track->process = p;
	track->locations = p->locations->slots;
	track->calls = p->locations->calls;
	track->level = level;
	track->alive = p->alive;
	track->slept = p->sites->slept;
	track->chosen = only_epoch(p->only);
	track->base = p->file->base;
	track->stack_low = 0;
	track->stack_bytes = UINTPTR_MAX;
	track->news = &ring_silence;
	return true;
}

void track_fini(struct track *track)
{
	sys_memory_free(track->bottom,
			(size_t)(track->limit - track->bottom) * sizeof(*track->bottom));
	tree_fini(track->tree);
}

bool track_more_frames(struct track *track)
{
	size_t n = (size_t)(track->limit - track->bottom),
	       used = (size_t)(track->top - track->bottom);
	struct open_zone *old = track->bottom, *frames = sys_memory(2 * n * sizeof(*frames));

	if (!frames)
		return false;
	memcpy(frames, old, (used + 1) * sizeof(*frames));
	track->bottom = frames;
	track->top = frames + used;
	track->limit = frames + 2 * n;
	if (track->level == 0)
		lineage_keep_frames(track); /* another thread may still read the old ones */
	else
		sys_memory_free(old, n * sizeof(*frames));
	return true;
}

void track_remember(struct track *track, struct zprof_node *parent, uint32_t child)
{
	uint32_t reference = node_reference(track->base, parent);

	*tree_callee(track->callees, node_at(track->base, child)->zone, reference) =
	    (struct callee){reference, child};
}
