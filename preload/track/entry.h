/* SPDX-License-Identifier: MIT */
/*
 * entry.h - the hot path of code that calls a hook as each function begins, and none as it ends
 * (`-pg -mfentry`): what hot.h is for pairs of hooks. entries/entries.h has the rule that is
 * followed here, and what is done in all other cases.
 *
 * What an entry touches, in lines of cache: the track (two), the location of the call, the caller's
 * place on the zone stack and the new zone's, the caller's node, the memory of children, the child,
 * and the profile's word `current`. `alive` and `news` are read, and change seldom.
 */
#ifndef ZPROF_ENTRY_H
#define ZPROF_ENTRY_H

#include "preload/code/call_places.h"
#include "preload/track/hot.h"

/*
 * Whether recording goes on, in this process, and no new note has come from the kernel. Unlike
 * hot_at_home(), this does not ask for the stack: no zone that is open on another stack has just
 * the caller's CFA.
 */
HOT bool entry_at_home(const struct track *k)
{
	return USUAL(*k->alive == PROCESS_ALIVE) && USUAL(*k->news == k->known);
}

/* Whether an open zone's frame is that of a function: zones that are lent, or marked by hand, stand above the function's own. */
HOT bool entry_is_of(const struct open_zone *f, uintptr_t function)
{
	const struct open_zone *own = f;

	if (USUAL(f->node->zone - function < LOCATION_FIRST_INSTRUCTIONS))
		return true;
	while (own[-1].cfa == f->cfa)
		own--;
	return own->node->zone - function < LOCATION_FIRST_INSTRUCTIONS;
}

/*
 * Enters the function of event `e`, which its first instruction has called: e->sp points to the
 * return address, e->call_site is that address. The track's busy is set. False: the case is
 * unusual, and nothing was changed.
 *
 * The program's rbp is in the event. Slow functions come here too, and have a frame pointer of their
 * own: a zone that has ended may have just the CFA that this would lead to.
 */
HOT bool entry_enter(struct track *k, const struct event *e)
{
	uintptr_t cfa = e->sp + sizeof(uintptr_t), ret = e->call_site, callers;
	uint64_t place = *call_place(k->process->locations->calls, ret);
	struct open_zone *f = k->top;
	const struct callee *known;
	struct zprof_node *child;
	uint32_t reference, parent;

	if (RARE(!call_place_is(place, ret)))
		return false;
	callers = call_place_cfa(place, cfa, e->bp);
	while (f->cfa < callers)
		f--;
	if (RARE(f->cfa != callers) || RARE(!entry_is_of(f, call_place_function(place, ret))))
		return false;
	parent = node_reference(k->base, f->node);
	known = tree_callee(k->callees, e->zone, parent);
	reference = known->node;
	child = node_at(k->base, reference);
	if (RARE(known->parent != parent) || RARE(child->zone != e->zone)) {
		reference = hot_find(k, f->node, e->zone);
		if (!reference)
			return false;
		child = node_at(k->base, reference);
	}
	if (RARE(f + 1 >= k->limit))
		return false;
	if (k->touched && twin_of(child)->ret & TWIN_UNTOUCHED)
		return false;
	child->calls++;
	f[1].cfa = cfa;
	f[1].node = child;
	cpu_publish();
	k->top = f + 1;
	*k->current = reference;
	return true;
}

/* What CPU_ENTER_ALONE (base/cpu/) shifts by. */
_Static_assert(sizeof(struct callee) == 8 && ZPROF_NODE_BYTES == 1 << 5, "shl $3, shr $5");
_Static_assert(TREE_CALLEES == 1 << (32 - TREE_CALLEE_SHIFT), "the bits that the shift leaves");

#endif
