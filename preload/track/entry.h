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

#include "preload/track/hot.h"

/* How many places of the table of locations are tried. */
#define ENTRY_TRIES 8

/*
 * What is kept of a place that calls (LOCATION_AS_CALL): `rule` finds the caller's CFA from the
 * callee's; `host` is how far the return address lies behind the beginning of the caller. NULL: the
 * place is not known.
 */
HOT const struct location *entry_place(const struct track *k, uintptr_t ret, enum effort effort)
{
	const struct location *l = &k->locations[location_slot(ret | LOCATION_AS_CALL)];
	uint32_t tries;

	if (USUAL(l->ret == (ret | LOCATION_AS_CALL)))
		return l;
	if (effort == QUICK)
		return NULL;
	for (tries = 1; tries < ENTRY_TRIES && l->ret; tries++) {
		if (++l == k->locations + LOCATIONS_MAX)
			l = k->locations;
		if (l->ret == (ret | LOCATION_AS_CALL))
			return l;
	}
	return NULL;
}

/*
 * Enters the function of event `e`, which its first instruction has called: e->sp points to the
 * return address, e->call_site is that address. The track's busy is set. False: the case is
 * unusual, and nothing was changed.
 */
HOT bool entry_enter(struct track *k, const struct event *e, enum effort effort)
{
	const struct location *l = entry_place(k, e->call_site, effort);
	uint32_t rule = l ? __atomic_load_n(&l->rule, __ATOMIC_ACQUIRE) : 0, reference;
	uintptr_t cfa = e->sp + sizeof(uintptr_t), callers;
	struct open_zone *f = k->top;
	struct zprof_node *child;

	if (RARE(!rule))
		return false;
	callers = location_cfa(rule, cfa, HOT_BP(e));
	while (f->cfa < callers)
		f--;
	if (RARE(f->cfa != callers) ||
	    RARE(f->node->zone - (e->call_site - l->host) >= LOCATION_FIRST_INSTRUCTIONS))
		return false;
	reference = hot_known(k, f->node, e->zone);
	if (effort == THOROUGH && !reference)
		reference = hot_find(k, f->node, e->zone);
	child = node_at(k->base, reference);
	if (RARE(!reference) || RARE(f + 1 >= k->limit))
		return false;
	if (RARE(k->touched != NULL) && twin_of(child)->ret & TWIN_UNTOUCHED)
		return false;
	child->calls++;
	f[1].cfa = cfa;
	f[1].node = child;
	cpu_barrier();
	k->top = f + 1;
	*k->current = reference;
	return true;
}

#endif
