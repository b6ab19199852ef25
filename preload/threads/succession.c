/* SPDX-License-Identifier: MIT */
/* succession.c - see succession.h. */
#include "preload/threads/succession.h"

#include "preload/base/sys.h"
#include "preload/profile/file.h"
#include "preload/recording/pause.h"
#include "preload/tree/tree.h"
#include "preload/threads/recover.h"

/* How many lineages a thread that begins looks at, and about how many it asks the kernel. */
#define LOOKED_AT 256
#define ASKED     64

struct turn {
	const struct zprof_recording *of; /* NULL: any */
	struct lineage *first;
	uint32_t looked_at, asked;
};

/*
 * The next lineage to look at. NULL: this thread has looked at enough. (Lineages of the latest
 * recording come first in the list, so at a lineage of another recording the search starts over at
 * the list's head.)
 */
static struct lineage *next_in_turn(struct process *p, struct turn *turn)
{
	struct lineage *l = __atomic_load_n(&p->in_turn, __ATOMIC_ACQUIRE);

	if (l)
		l = l->next;
	if (!l || (turn->of && l->recording != turn->of))
		l = __atomic_load_n(&p->lineages, __ATOMIC_ACQUIRE);
	if (l == turn->first || turn->looked_at++ == LOOKED_AT || turn->asked == ASKED)
		return NULL;
	if (!turn->first)
		turn->first = l;
	__atomic_store_n(&p->in_turn, l, __ATOMIC_RELEASE);
	return l;
}

/* Takes the lineage of a thread that has ended. */
static bool take(struct lineage *l, struct turn *turn, uint32_t *tid, uint32_t me)
{
	*tid = __atomic_load_n(&l->tid, __ATOMIC_RELAXED);
	turn->asked++;
	return lineage_thread_has_ended(*tid, me) &&
	       __atomic_compare_exchange_n(&l->tid, tid, me, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

/* Charges the ended thread's last notes to the zone that was current, and ends its sampling. */
static void end_sampler(struct lineage *l)
{
	struct process *p = l->saved.process;

	notes_end(&l->notes, p,
		  pause_in_force(p) ? NULL : node_at(p->file->base, l->record->current[0]),
		  l->record->current[0] == l->record->root);
}

/* Completes the account of a thread that has ended. */
static void settle(struct lineage *l)
{
	recover_ended(l);
	end_sampler(l);
}

struct lineage *succession_take_over(struct process *p, const struct zprof_recording *of,
				     uint64_t first_zone, uint32_t me)
{
	struct turn turn = {.of = of};
	struct lineage *l;
	uint32_t tid;

	while ((l = next_in_turn(p, &turn)))
		if (l->first_zone == first_zone && l->recording == of && take(l, &turn, &tid, me)) {
			settle(l);
			return l;
		}
	return NULL;
}

void succession_give_back_rings(struct process *p, uint32_t me)
{
	struct turn turn = {.first = NULL};
	struct lineage *l;
	uint32_t tid;

	while ((l = next_in_turn(p, &turn))) {
		if (l->tid == me || !l->notes.ring.memory || !take(l, &turn, &tid, me))
			continue;
		end_sampler(l);
		__atomic_store_n(&l->tid, tid, __ATOMIC_RELEASE);
	}
}

void succession_close(struct process *p)
{
	uint32_t me = (uint32_t)sys0(SYS_gettid);
	char name[THREAD_RECORD_NAME];
	struct lineage *l;

	for (l = __atomic_load_n(&p->lineages, __ATOMIC_ACQUIRE); l; l = l->next)
		if (l->tid != me && lineage_thread_has_ended(l->tid, me))
			settle(l);
		else if (l->tid && thread_record_name_of(l->tid, name))
			thread_record_rename(l->record, l->named, name);
}
