/* SPDX-License-Identifier: MIT */
/* recover.c - see recover.h. */
#include "preload/recover.h"

#include "preload/lineage.h"
#include "preload/sys.h"

#include <signal.h>

/*
 * Addresses compare only within one stack. A handler on an alternate stack is not higher up,
 * wherever that stack lies; a hook that was in progress there is dead when somebody runs elsewhere.
 */
static bool is_dead(const struct track *k, const struct event *e)
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
	return e->sp >= sp;
}

/* All ticks that are booked on the nodes of a tree. */
static uint64_t booked_in(const struct process *p, const struct tree *tree)
{
	const struct zprof_section *s = tree->section;
	uint64_t sum = 0;

	while (s) {
		const struct zprof_node *node = (const struct zprof_node *)(s + 1);
		const struct zprof_node *end =
		    (const struct zprof_node *)((const char *)s + s->used);

		for (; node < end; node++)
			sum += node->self_ticks;
		s = s->previous ? (const struct zprof_section *)(p->file.base + s->previous) : NULL;
	}
	return sum;
}

static uint64_t booked(const struct lineage *l)
{
	uint64_t sum = booked_in(l->saved.process, &l->tree);
	int i;

	for (i = 1; i < ZPROF_LEVELS; i++)
		if (l->levels[i])
			sum += booked_in(l->saved.process, l->levels[i]->tree);
	return sum;
}

/* Closes the levels above: their zones never returned, and their time up to now is theirs. */
static void close_levels_above(struct track *k, const struct event *e)
{
	uint32_t level;
	struct track *below = k, *l;

	for (level = k->level + 1; level < ZPROF_LEVELS && (l = k->lineage->levels[level]);
	     level++) {
		if (l->top != l->bottom) {
			uint64_t elapsed = e->ticks - *l->last;

			if ((int64_t)elapsed > 0) {
				l->top->node->self_ticks += elapsed;
				*l->last = e->ticks;
			}
			track_abandon(l, l->bottom);
			below->stolen += *l->last - l->since;
		}
		l->busy = 0;
		l->top->node->self_ticks -= l->stolen;
		l->stolen = 0;
		*l->current = 0;
		below = l;
	}
}

bool recover_abandoned(struct track *k, const struct event *e)
{
	const struct zprof_thread *record;

	if (!is_dead(k, e))
		return false;
	close_levels_above(k, e);
	if (k->level == 0) {
		/*
		 * Between adding to a node and storing `last` the hook may have died; nothing tells
		 * but the sum, which must be what the clock says plus what handlers took (their
		 * nodes are in the sum).
		 */
		record = k->lineage->record;
		k->top->node->self_ticks += record->active_ticks +
					    (record->last_ticks - record->first_ticks) + k->stolen -
					    booked(k->lineage);
	}
	k->top->node->self_ticks -= k->stolen;
	k->stolen = 0;
	*k->current = node_reference(k->base, k->top->node);
	process_count(k->process, ZPROF_REPAIR_HOOK, 1);
	__asm__ volatile("" ::: "memory");
	k->busy = 0;
	return true;
}

void recover_ended(struct lineage *l)
{
	struct zprof_thread *record = l->record;
	uint64_t noted = record->active_ticks + (record->last_ticks - record->first_ticks),
		 more = booked(l) - noted;

	if ((int64_t)more > 0)
		record->last_ticks += more;
}
