/* SPDX-License-Identifier: MIT */
/* sampled.c - see sampled.h. */
#include "preload/entries/sampled.h"

#include "preload/code/cfi.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/entries/entries.h"
#include "preload/process/process.h"
#include "preload/unwind/noted.h"

/* So many frames are walked at most; few copied words have more. */
#define FRAMES_MAX 256

/*
 * Any place of the function that holds `pc - 1`, in place of `pc`. The table of locations, which
 * entries_runs_in() fills, must not get a record for each instruction that a sample has found.
 */
static uintptr_t any_place_beside(const struct track *k, uintptr_t pc)
{
	const struct module *m = module_find(k->process, pc - 1);
	struct cfi cfi;

	return m && m->eh_frame_hdr && cfi_find(m->eh_frame_hdr, pc - 1, &cfi) ? cfi.function + 1
									       : pc;
}

/*
 * Whether the code before `pc` runs in the frame of the open zone `f`, whose CFA is the code's. A stub of
 * the linkage table, of which nothing tells the function, does not: it has been called, from where the
 * zone's function may have been called before.
 */
static bool runs_in(const struct track *k, const struct open_zone *f, uintptr_t pc)
{
	uintptr_t pushed;

	return !cpu_in_linkage(pc - 1, &pushed) && entries_runs_in(k, f, any_place_beside(k, pc));
}

/* Follows the copied stack to the frame of an open zone. */
static const struct open_zone *follow(const struct track *k, struct place *at, bool *sure)
{
	const struct open_zone *f = k->top;
	uintptr_t cfa, pc;
	bool end = false, goes_on = true;
	uint32_t n;

	*sure = true;
	for (n = 0; n < FRAMES_MAX && goes_on && f > k->bottom; n++) {
		pc = at->pc;
		goes_on = unwind_next(k, at, &cfa, &end);
		if (!cfa || !unwind_on_stack(k, cfa - sizeof(cfa)))
			break;
		while (f->cfa < cfa)
			f--;
		if (f->cfa == cfa && runs_in(k, f, pc))
			return f;
		while (f->cfa == cfa)
			f--;
	}
	if (end)
		return k->bottom;
	*sure = f == k->bottom;
	return f;
}

/* A look at another node than that on top is one at the library's own time, or at time past. */
struct zprof_node *sampled_node(struct zprof_node *node, const struct ring_note *note, bool *sure)
{
	const struct track *k = &track_self;
	struct stack_copy copy;
	struct place at = noted_place(note, &copy);

	*sure = true;
	if (node != k->top->node)
		return node;
	*sure = false;
	if (!unwind_on_stack(k, note->sp & ~(uintptr_t)7))
		return node;
	return follow(k, &at, sure)->node;
}

/* Only an entry before the function's first instruction tells where it was called from. */
void sampled_before_look(struct track *k, const struct event *e)
{
	struct place at = {.pc = e->call_site, .sp = e->sp + sizeof(e->sp), .bp = e->bp};
	struct open_zone *f;
	bool sure;

	if (!k->process->entries_alone || k->level || *k->news == k->known ||
	    e->zone == EVENT_ANY_ZONE || !location_is_bare(e) || !unwind_on_stack(k, e->sp))
		return;
	f = entries_open_at(k, at, &sure);
	k->notes->comes_from = sure ? f->node : NULL;
}
