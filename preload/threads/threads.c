/* SPDX-License-Identifier: MIT */
/* threads.c - see threads.h. */
#include "preload/threads/threads.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/timebase.h"
#include "preload/code/location.h"
#include "preload/code/module.h"
#include "preload/recording/recordings.h"
#include "preload/tree/tree.h"
#include "preload/sample/happened.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/signal.h"
#include "preload/sample/waits.h"
#include "preload/track/charge.h"
#include "preload/track/lent.h"
#include "preload/track/levels.h"
#include "preload/track/lineage.h"
#include "preload/track/paused.h"
#include "preload/track/thread_record.h"
#include "preload/calls/callsites.h"
#include "preload/calls/ends.h"
#include "preload/calls/watch.h"
#include "preload/stacks/parked.h"
#include "preload/stacks/stack.h"
#include "preload/unwind/chain.h"
#include "preload/entries/sampled.h"
#include "preload/threads/succession.h"

#include <sys/prctl.h>

void threads_begin_notes(struct track *self, struct lineage *l)
{
	struct process *p = self->process;
	struct notes *n = self->notes;

	if (!notes_begin(n, p, l->record)) {
		succession_give_back_rings(p, l->record->tid);
		if (!notes_begin(n, p, l->record))
			losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
	}
	self->news = n->ring.head;
	self->known = 0;
}

static struct lineage *found(struct process *p, const struct zprof_recording *recording,
			     uint64_t first_zone, uint32_t me)
{
	struct lineage *l = sys_memory(sizeof(*l)), *head;
	struct track *k = &l->saved;
	uint32_t id;

	if (!l)
		return NULL;
	l->tid = me;
	l->first_zone = first_zone;
	l->recording = recording;
	l->record = thread_record_new(p, &id);
	if (!l->record || !track_init(k, &l->tree, p, id, 0))
		return NULL;
	k->lineage = l;
	k->notes = &l->notes;
	ring_forget(&l->notes.ring);
	k->bottom->node = tree_root(p, &l->tree);
	if (!k->bottom->node)
		return NULL;
	k->last = &l->record->last_ticks;
	k->current = &l->record->current[0];
	*k->current = node_reference(k->base, k->bottom->node);
	l->record->root = *k->current;
	l->record->recording = recording ? (uint16_t)recording->number : 0;
	if (p->options->callsites)
		k->callsites = callsites_new(p, id);
	l->notes.inside.wanted = p->options->inside;
	if (p->options->inside == INSIDE_STACK)
		l->notes.chains.walk = chain_walk;
	if (k->callsites && !p->options->inside) {
		l->notes.found = callsites_found;
		l->notes.whom = k->callsites;
	}
	l->notes.place = sampled_node;
	if (p->options->offcpu || p->entries_alone)
		l->notes.waits = waits_new(p, id);
	if (p->watching->active)
		k->watch = watch_new(p, id);
	k->own_node = tree_child(p, &l->tree, k->bottom->node, ZPROF_ZONE_OF_ID(ZPROF_ID_SELF),
				 &(bool){false});
	l->notes.happened = happened_new(p, k->own_node);
	__atomic_store_n(&l->record->id, id, __ATOMIC_RELEASE);
	head = __atomic_load_n(&p->lineages, __ATOMIC_RELAXED);
	do
		l->next = head;
	while (!__atomic_compare_exchange_n(&p->lineages, &head, l, false, __ATOMIC_RELEASE,
					    __ATOMIC_RELAXED));
	return l;
}

struct lineage *threads_lineage(struct process *p, uint64_t first_zone)
{
	const struct zprof_recording *recording = recordings_now(p);
	struct lineage *l = NULL;
	uint32_t me = 0;

	if (!sys_forbidden) {
		me = (uint32_t)sys0(SYS_gettid);
		l = succession_take_over(p, recording, first_zone, me);
	}
	if (!l && !sys_forbidden)
		l = found(p, recording, first_zone, me);
	if (!l) {
		losses_count(p, ZPROF_LOSS_THREADS, 1);
		return NULL;
	}
	thread_record_describe(l->record, me);
	memcpy(l->named, l->record->name, sizeof(l->named));
	return l;
}

/*
 * A forked child that has had no event yet still has its parent's lineage, and so has a thread that
 * uses another's thread-local storage.
 */
void threads_renamed(void)
{
	struct process *p = process_now;
	struct lineage *l = track_self.lineage;
	char name[THREAD_RECORD_NAME] = "";

	if (!p || !*p->here || !l || track_self.process != p || sys_forbidden ||
	    l->tid != (uint32_t)sys0(SYS_gettid))
		return;
	sys2(SYS_prctl, PR_GET_NAME, name);
	thread_record_rename(l->record, l->named, name);
}

#define RESERVED_FRAMES 65536

void threads_reserve(void)
{
	struct track *self = &track_self;

	if (self->busy)
		return;
	tree_reserve(self->process, self->tree);
	while (self->limit - self->bottom < RESERVED_FRAMES && track_more_frames(self))
		;
}

/*
 * Zones that the lineage's last thread left open never returned, unless their stack lives on (a
 * coroutine's).
 */
void threads_close_account(struct lineage *l)
{
	struct process *p = l->saved.process;

	parked_outlives(l);
	losses_count(p, ZPROF_REPAIR_JUMP, thread_record_open_zones(l->record, p->file->base));
	if (l->saved.callsites)
		callsites_end(&l->saved);
	if (l->saved.watch)
		watch_end(&l->saved);
	ends_begin_thread(&l->saved);
	levels_reset(l);
}

/*
 * Copies the lineage's track to track_self. `busy` is stored last: a 0 there makes the rest valid.
 */
static void adopt(struct lineage *l, uint64_t ticks, uintptr_t sp)
{
	struct track *self = &track_self;
	struct zprof_thread *record = l->record;

	memcpy((char *)self + sizeof(self->busy), (char *)&l->saved + sizeof(self->busy),
	       sizeof(*self) - sizeof(self->busy));
	threads_close_account(l);
	lent_begin_thread(self);
	*self->current = record->root;
	thread_record_begin(record, ticks);
	stack_of_thread(self, sp);
	threads_begin_notes(self, l);
	paused_owe_nothing(self, ticks);
	lineage_has_passed(self);
	/* The time since the event's reading was spent on beginning: it is the library's own. */
	charge_own(self);
	cpu_barrier();
	self->busy = 0;
}

/*
 * The clock's reading with which a thread begins. If the clock has gone back, the thread has no
 * earlier reading that shows it, so the event is compared with the process's beginning. (Not for
 * the event that makes the process begin, which is older than the process.)
 */
static uint64_t first_reading(struct process *p, const struct event *first)
{
	const struct zprof_header *h = p->header;
	uint64_t now, elapsed;

	if ((int64_t)(first->ticks - h->start_ticks) >= 0 || p->clock == ZPROF_CLOCK_FAKE)
		return first->ticks;
	now = tick_now();
	if ((int64_t)(now - h->start_ticks) >= 0)
		return now;
	elapsed =
	    (uint64_t)((unsigned __int128)(sys_clock_ns(1) - h->start_ns) * p->hz / 1000000000u);
	return timebase_is_back(p, h->start_ticks + elapsed, now);
}

bool threads_begin(const struct event *first)
{
	bool begun = process_now && *process_now->here;
	struct process *p = process_begin(NULL);
	struct lineage *l = p ? threads_lineage(p, first->zone) : NULL;
	uint64_t ticks;

	if (!l) {
		track_self.refused = p != NULL;
		return false;
	}
	if (track_self.busy == TRACK_UNREADY) {
		/* With clock=count the clock stands still (tick_stop()); the event may be older. */
		if (p->header->mode == ZPROF_MODE_COUNT)
			ticks = tick_now();
		else
			ticks = begun ? first_reading(p, first) : first->ticks;
		adopt(l, ticks, first->sp);
	} else if (l->record->count > 1) {
		l->record->count--;
	} else {
		l->record->id = 0;
		l->first_zone = 0;
	}
	return true;
}

void threads_stop_timers(struct process *p)
{
	struct lineage *l;

	if (!signal_is_taken() || signal_is_borrowed())
		return;
	p->sampling->stopped = true;
	l = *p->here ? __atomic_load_n(&p->lineages, __ATOMIC_ACQUIRE) : NULL;
	for (; l; l = l->next)
		notes_stop(&l->notes, p);
	signal_give_back();
}

void threads_outlast(struct process *p)
{
	struct lineage *l;

	charge_look_ahead();
	for (l = __atomic_load_n(&p->lineages, __ATOMIC_ACQUIRE); l; l = l->next)
		if (notes_will_end(&l->notes) && (l == track_self.lineage || !lineage_has_ended(l)))
			losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* ---- dlclose */

static bool retired(const struct module *m)
{
	return m->doubtful || m->unloaded;
}

static void retire_node(void *process, struct zprof_node *node)
{
	const struct process *p = process;
	uint32_t id = ZPROF_NODE_MODULE(node);

	if (!id || !retired(&p->modules->table[id - 1]))
		return;
	node->module |= ZPROF_NODE_RETIRED << 24;
	twin_of(node)->ret = 0; /* so that the hot path does not find it */
	twin_of(node)->rule |= LOCATION_INDIRECT;
}

void threads_retire(struct process *p)
{
	struct lineage *l;
	int i;

	for (l = __atomic_load_n(&p->lineages, __ATOMIC_ACQUIRE); l; l = l->next) {
		tree_visit(p, &l->tree, retire_node, p);
		tree_forget_callees(&l->tree);
		lent_forget_places(l->saved.lent);
		for (i = 1; i < ZPROF_LEVELS; i++)
			if (l->levels[i])
				tree_visit(p, l->levels[i]->tree, retire_node, p);
	}
}
