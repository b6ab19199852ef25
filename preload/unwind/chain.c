/* SPDX-License-Identifier: MIT */
/* chain.c - see chain.h. */
#include "preload/unwind/chain.h"

#include "preload/code/module.h"
#include "preload/process/process.h"
#include "preload/sample/notes.h"
#include "preload/track/track.h"
#include "preload/unwind/noted.h"

/* So many frames are walked at most; few copied words have more. */
#define FRAMES_MAX 256
/* A search for a module reads the process's maps. So many are in vain, and then no more are made. */
#define SEARCHES_MOST 16u

/* The innermost open zone of a node, from `f` downwards. NULL: there is none. */
static const struct open_zone *open_zone_of(const struct track *k, const struct open_zone *f,
					    const struct zprof_node *node)
{
	while (f > k->bottom && f->node != node)
		f--;
	return f > k->bottom ? f : NULL;
}

/*
 * With exits, the zone is the one on top, and only its frame will do. Without exits, that zone may
 * have ended; a zone of the same node further out, as of a folded recursion, may be the sample's.
 */
static const struct open_zone *not_below(const struct track *k, const struct open_zone *f,
					 uintptr_t cfa)
{
	const struct zprof_node *node = f->node;

	while (f && f->cfa < cfa)
		f = k->process->entries_alone ? open_zone_of(k, f - 1, node) : NULL;
	return f;
}

/* Whether code is in a module. An interpreter's own code is in none, and may run at each sample. */
static bool is_in_module(const struct track *k, uintptr_t address)
{
	uint32_t *searches = &k->notes->chains.searches;

	if (module_find(k->process, address))
		return true;
	if (*searches == SEARCHES_MOST)
		return false;
	if (module_discover(k->process, address))
		return true;
	++*searches;
	return false;
}

static bool add_step(const struct track *k, uintptr_t function, struct zprof_chain *chain)
{
	const struct module *m = module_find(k->process, function);

	return chains_step(chain, m ? m->id : 0, m ? function : 0);
}

/* The frame of a signal handler has no CFA, so it is no zone's. */
enum chain_walk chain_walk(const struct zprof_node *node, const struct ring_note *note,
			   struct zprof_chain *chain)
{
	const struct track *k = &track_self;
	struct stack_copy copy;
	struct place at = noted_place(note, &copy);
	const struct open_zone *f = open_zone_of(k, k->top, node);
	enum chain_walk whole = CHAIN_WHOLE;
	bool goes_on = true, end;
	uintptr_t cfa;
	uint32_t n;

	if (!f || (f != k->top && !k->process->entries_alone) || !note->sp ||
	    !unwind_on_stack(k, note->sp & ~(uintptr_t)7))
		return CHAIN_CUT;
	for (n = 0; n < FRAMES_MAX && goes_on && is_in_module(k, at.pc - 1); n++) {
		goes_on = unwind_next(k, &at, &cfa, &end);
		if (!cfa)
			return CHAIN_CUT;
		if (!at.resumed) {
			f = not_below(k, f, cfa);
			if (!f)
				return CHAIN_CUT;
			if (f->cfa == cfa)
				return whole;
		}
		if (!add_step(k, at.function, chain))
			whole = CHAIN_DEEP;
	}
	return CHAIN_CUT;
}
