/* SPDX-License-Identifier: MIT */
/* places.c - what the steps of the planner note of places in code (planner.h). */
#include "symbolize/plan/planner.h"

uint32_t planner_code_at(const struct planner *p, uint32_t offset)
{
	size_t low = 0, high = p->frames.fde_count; /* the first behind OFFSET is in [low, high] */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (p->frames.fdes[middle].start <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || offset - p->frames.fdes[low - 1].start >= p->frames.fdes[low - 1].bytes)
		return PLANNER_NONE;
	return (uint32_t)(low - 1);
}

void planner_target(struct planner *p, int64_t offset)
{
	if (offset >= 0 && offset < p->module.image_bytes && planner_in_text(p, (uint32_t)offset))
		planner_set(p, p->targets, (uint32_t)offset);
}

void planner_evidence(struct planner *p, int64_t offset)
{
	if (offset < 0 || offset >= p->module.image_bytes || !planner_in_text(p, (uint32_t)offset))
		return;
	planner_set(p, p->targets, (uint32_t)offset);
	if (planner_bit(p, p->starts, (uint32_t)offset))
		p->codes[planner_code_at(p, (uint32_t)offset)].evidence = true;
}
