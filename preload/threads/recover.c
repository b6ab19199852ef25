/* SPDX-License-Identifier: MIT */
/* recover.c - see recover.h. */
#include "preload/threads/recover.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/tree/tree.h"
#include "preload/sample/notes.h"
#include "preload/track/charge.h"
#include "preload/track/levels.h"
#include "preload/track/lineage.h"
#include "preload/track/open.h"
#include "preload/unwind/via.h"

#include <signal.h>

/*
 * The frame of a handler that interrupted a hook lies below the hook. One that begins above it was
 * called after a jump, by a frame that is still there, however large it may be itself.
 */
static bool begins_above(const struct track *k, const struct event *e, uintptr_t sp)
{
	struct location here;

	if (e->ret == e->call_site) /* a tail-called exit hook: its sp was the CFA */
		return false;
	location_at(k->process, e->ret, &here);
	return !(here.rule & LOCATION_INDIRECT) && location_cfa(here.rule, e->sp, e->bp) >= sp;
}

/*
 * Addresses compare only within one stack. A handler on an alternate stack is not higher up,
 * wherever that stack lies; a hook that was in progress there is dead when the thread runs
 * elsewhere.
 */
bool recover_is_dead(const struct track *k, const struct event *e)
{
	uintptr_t sp = k->busy & ~(uintptr_t)7;
	stack_t alternate = {0};
	bool here, there;

	if (!sp)
		return false;
	if (!sys_forbidden)
		sys2(SYS_sigaltstack, 0, &alternate);
	if (alternate.ss_size && !(alternate.ss_flags & SS_DISABLE)) {
		uintptr_t low = (uintptr_t)alternate.ss_sp;

		here = e->sp - low < alternate.ss_size;
		there = sp - low < alternate.ss_size;
		if (here != there)
			return there;
	}
	if ((e->sp - k->stack_low < k->stack_bytes) != (sp - k->stack_low < k->stack_bytes))
		return false;
	return e->sp >= sp || begins_above(k, e, sp);
}

/* All ticks that are booked on the nodes of a section and those before it. */
static uint64_t booked_in(const struct process *p, const struct zprof_section *s)
{
	uint64_t sum = 0;

	while (s) {
		const struct zprof_node *node = (const struct zprof_node *)(s + 1);
		const struct zprof_node *end =
		    (const struct zprof_node *)((const char *)s + s->used);

		for (; node < end; node++)
			sum += node->self_ticks;
		s = s->previous ? (const struct zprof_section *)(p->file->base + s->previous)
				: NULL;
	}
	return sum;
}

static uint64_t booked_on(const struct process *p, const struct tree *tree)
{
	return booked_in(p, tree->section) + booked_in(p, tree->spare);
}

static uint64_t booked(const struct lineage *l, uint32_t level)
{
	uint64_t sum = level ? 0 : booked_on(l->saved.process, &l->tree);

	for (level += !level; level < ZPROF_LEVELS; level++)
		if (l->levels[level])
			sum += booked_on(l->saved.process, l->levels[level]->tree);
	return sum;
}

/* What should be booked on a level and those above, by what was noted. */
static uint64_t noted(const struct lineage *l, const struct track *k)
{
	const struct zprof_thread *record = l->record;

	if (k->level)
		return *k->last - k->origin;
	return record->active_ticks + (record->last_ticks - record->first_ticks);
}

/* Whatever was half done on a level that is at rest, it begins with an even account. */
static void even_out(const struct lineage *l, uint32_t level)
{
	struct track *k = l->levels[level];

	if (k)
		k->origin = *k->last - booked(l, level);
}

/* As charge_rob() does, without a mark for a hook that has ended. */
static void owe(struct track *k, uint64_t ticks)
{
	cpu_add_once(&k->stolen, ticks);
}

/*
 * Closes the levels above, the uppermost first: their zones never returned, their time up to now is
 * theirs, and not that of the level below.
 */
static void close_levels_above(const struct track *k, const struct event *e)
{
	uint32_t level;

	for (level = ZPROF_LEVELS - 1; level > k->level; level--) {
		struct track *l = k->lineage->levels[level], *below;

		if (!l)
			continue;
		below = levels_below(l);
		if (l->top != l->bottom) {
			charge_event(l, e);
			l->top->node->self_ticks -= l->stolen;
			open_abandon(l, l->bottom);
		} else {
			owe(below, l->stolen);
		}
		owe(below, *l->last - l->since);
		l->since = *l->last;
		l->stolen = 0;
		l->busy = 0;
		via_left(l->process, l->tree);
		*l->current = 0;
		even_out(k->lineage, level);
	}
}

/*
 * Between adding to a node and storing `last` the hook may have died; nothing tells but the sum,
 * which must be what the clock says plus what handlers took (their nodes are in the sum). Adding up
 * takes a while, and a handler that comes meanwhile changes both; where one always does, this is
 * given up. (A level without an open zone has no node of its own.)
 */
static void balance(struct track *k)
{
	uint64_t stolen, missing;
	int tries;

	for (tries = 0; tries < 3; tries++) {
		stolen = *(volatile uint64_t *)&k->stolen;
		missing = noted(k->lineage, k) + stolen - booked(k->lineage, k->level);
		if (stolen != *(volatile uint64_t *)&k->stolen)
			continue;
		if (k->level && k->top == k->bottom)
			k->origin += missing;
		else
			k->top->node->self_ticks += missing;
		return;
	}
}

/* From the first store on this is the hook in progress, for handlers that interrupt it. */
bool recover_abandoned(struct track *k, const struct event *e)
{
	if (!recover_is_dead(k, e))
		return false;
	k->busy = e->sp;
	cpu_barrier();
	k->notes->reading = 0;
	close_levels_above(k, e);
	via_left(k->process, k->tree);
	balance(k);
	if (k->level && k->top == k->bottom) {
		owe(levels_below(k), *k->last - k->since);
		k->since = *k->last;
	}
	*k->current = node_reference(k->base, k->top->node);
	losses_count(k->process, ZPROF_REPAIR_HOOK, 1);
	charge_settle(k, e->sp);
	return true;
}

void recover_ended(struct lineage *l)
{
	uint64_t more = booked(l, 0) - noted(l, &l->saved);
	uint32_t level;

	if ((int64_t)more > 0)
		l->record->last_ticks += more;
	via_left(l->saved.process, &l->tree);
	for (level = 1; level < ZPROF_LEVELS; level++) {
		even_out(l, level);
		if (l->levels[level])
			via_left(l->saved.process, l->levels[level]->tree);
	}
}
