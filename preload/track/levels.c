/* SPDX-License-Identifier: MIT */
/* levels.c - see levels.h. */
#include "preload/track/levels.h"

#include "preload/base/sys.h"
#include "preload/tree/tree.h"

struct track *levels_below(const struct track *track)
{
	return track->level == 1 ? &track_self : track->lineage->levels[track->level - 1];
}

/*
 * A handler that interrupts this may make the track first, and count there: its track then stays.
 */
struct track *levels_get(struct lineage *lineage, uint32_t level)
{
	struct track *k, *made = NULL;

	if (level >= ZPROF_LEVELS)
		return NULL;
	if (lineage->levels[level])
		return lineage->levels[level];
	k = sys_memory(sizeof(*k) + sizeof(struct tree));
	if (!k || !track_init(k, (struct tree *)(k + 1), lineage->saved.process,
			      lineage->record->id, level))
		return NULL;
	k->tree->root = lineage->record->root;
	k->lineage = lineage;
	k->notes = &lineage->notes;
	k->last = &k->own_last;
	k->current = &lineage->record->current[level];
	if (__atomic_compare_exchange_n(&lineage->levels[level], &made, k, false, __ATOMIC_RELAXED,
					__ATOMIC_RELAXED))
		return k;
	track_fini(k);
	sys_memory_free(k, sizeof(*k) + sizeof(struct tree));
	return made;
}

void levels_reset(struct lineage *l)
{
	int i;

	for (i = 1; i < ZPROF_LEVELS; i++) {
		struct track *k = l->levels[i];

		if (!k)
			continue;
		k->busy = 0;
		k->stolen = 0;
		k->since = *k->last;
		k->top = k->bottom;
		*k->current = 0;
	}
}
