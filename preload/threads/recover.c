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
 * Whether the event's frame begins above `sp`, the stack pointer of the hook in progress. A
 * handler's frame lies wholly below the hook it interrupted. A frame that begins above the hook was
 * called after a jump, even if it is so large that its own stack pointer is below `sp`.
 */
static bool begins_above(const struct track *k, const struct event *e, uintptr_t sp)
{
	struct location here;

	if (e->ret == e->call_site) /* a tail-called exit hook: its sp was the CFA */
		return false;
	if (location_is_bare(e)) /* the frame is the return address alone */
		return false;
	location_at(k->process, e->ret, &here);
	return !(here.rule & LOCATION_INDIRECT) && location_cfa(here.rule, e->sp, e->bp) >= sp;
}

/*
 * Addresses can be compared only within one stack. So an event on the alternate signal stack does
 * not show that a hook on another stack is dead. But a hook on the alternate stack is dead as soon
 * as an event comes from elsewhere.
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

/* The sum of the ticks of all nodes in a section and in the sections before it. */
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

/*
 * The ticks that the nodes of a level and the levels above should sum to, by the record or `last`.
 */
static uint64_t noted(const struct lineage *l, const struct track *k)
{
	const struct zprof_thread *record = l->record;

	if (k->level)
		return *k->last - k->origin;
	return record->active_ticks + (record->last_ticks - record->first_ticks);
}

/*
 * Sets `origin` of a level without open zones so that its account agrees with its nodes. A hook
 * that died there may have left the two different.
 */
static void even_out(const struct lineage *l, uint32_t level)
{
	struct track *k = l->levels[level];

	if (k)
		k->origin = *k->last - booked(l, level);
}

/* As charge_rob(), but leaves no mark in busy, since the hook in progress is dead. */
static void owe(struct track *k, uint64_t ticks)
{
	cpu_add_once(&k->stolen, ticks);
}

/*
 * Closes the levels above, the uppermost first. Their zones count as never returned. The time up to
 * now is charged to these zones, and taken off the level below.
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
 * The hook may have died between adding ticks to a node and storing `last`. Only the sum over all
 * nodes shows that: it must be the account (noted()) plus the ticks that handlers took, whose nodes
 * are in the sum. The difference is charged to the node on top, or, on a level without an open
 * zone, put into `origin`. A handler that comes while the nodes are added up changes both sides;
 * after three such tries this is given up.
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

/* After the first store, handlers that interrupt this find `e` as the hook in progress. */
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
