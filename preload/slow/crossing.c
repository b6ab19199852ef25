/* SPDX-License-Identifier: MIT */
/* crossing.c - see crossing.h. */
#include "preload/slow/crossing.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/recording/recordings.h"
#include "preload/tree/tree.h"
#include "preload/track/charge.h"
#include "preload/track/lent.h"
#include "preload/track/lineage.h"
#include "preload/track/open.h"
#include "preload/track/paused.h"
#include "preload/track/thread_record.h"
#include "preload/calls/callsites.h"
#include "preload/calls/ends.h"
#include "preload/calls/watch.h"
#include "preload/stacks/stack.h"
#include "preload/threads/threads.h"
#include "preload/slow/awake.h"

/* ---- the zone stack */

/*
 * The node of a barrier `f` of the old zone stack in the new tree. Where functions end without a hook,
 * the barrier may stand for a zone further down (entries.c).
 */
static struct zprof_node *barrier_node(const struct track *self, const struct open_zone *bottom,
				       const struct open_zone *f)
{
	const struct open_zone *of = f - 1;

	while (of > bottom && of->node != f->node)
		of--;
	return self->bottom[of - bottom].node;
}

static void inherit_frames(struct track *self, const struct open_zone *bottom,
			   const struct open_zone *top)
{
	const struct open_zone *f;

	for (f = bottom + 1; f <= top; f++) {
		struct zprof_node *child = self->top->node;

		if (self->top + 1 >= self->limit && !track_more_frames(self))
			break;
		if (f->cfa == UINTPTR_MAX)
			child = barrier_node(self, bottom, f);
		else if (!lent_placeholder(f))
			child = open_continue(self, child, f->node);
		if (!child)
			break;
		self->top++;
		self->top->cfa = f->cfa;
		self->top->node = child;
	}
	*self->current = node_reference(self->base, self->top->node);
}

/* The calling thread goes on in lineage `l`, from `ticks` on, with the zones open in `before`. */
static void go_on(struct lineage *l, const struct track *before, uint64_t ticks)
{
	struct track *self = &track_self;

	threads_close_account(l);
	l->saved.busy = before->busy;
	*self = l->saved;
	thread_record_begin(l->record, ticks);
	paused_owe_nothing(self, ticks);
	inherit_frames(self, before->bottom, before->top);
	self->slept = before->slept;
	self->chosen = before->chosen;
	lent_begin_forked(self, before);
	stack_inherit(self, before);
}

/* ---- fork */

bool crossing_forked(void)
{
	struct track before = track_self;
	struct process *p = process_begin(before.process);
	struct lineage *l;

	if (!p)
		return false;
	l = threads_lineage(p, before.lineage->first_zone);
	if (!l)
		return false;
	go_on(l, &before, tick_now());
	threads_begin_notes(&track_self, l);
	return true;
}

/* ---- the next recording */

/* False for the tests' clock, which only counts its readings: two threads share no moment on it. */
static bool clock_is_shared(const struct process *p)
{
	return p->clock != ZPROF_CLOCK_FAKE;
}

/* Charges the time until the old recording ended, or, with the tests' clock, until this event. */
static void charge_until_end(struct track *k, const struct event *e)
{
	const struct zprof_recording *r = k->lineage->recording;
	struct event end = {.ticks = r->ended_ticks};

	if (!clock_is_shared(k->process)) {
		paused_settle(k, e->ticks);
		charge_event(k, e);
		return;
	}
	paused_settle_until(k, r->ended_ticks, r->ended_paused_ticks);
	if ((int64_t)(end.ticks - *k->last) > 0)
		charge_event(k, &end);
}

/*
 * When the thread begins in the new recording: as the recording began; or at the event, if the
 * event read the clock before that.
 */
static uint64_t beginning(const struct track *k, const struct event *e,
			  const struct zprof_recording *r)
{
	if (!clock_is_shared(k->process) || (int64_t)(e->ticks - r->began_ticks) < 0)
		return e->ticks;
	return r->began_ticks;
}

/*
 * Handlers that ran since the event read the clock have charged nodes of the old tree. Their ticks
 * (`stolen`) will be taken off a node of the new tree, so they are moved between the two accounts.
 */
static void hand_over_stolen(struct track *k, const struct track *before)
{
	k->stolen = before->stolen;
	before->lineage->record->active_ticks += k->stolen;
	k->lineage->record->active_ticks -= k->stolen;
}

/* Counts the lent zones that are open in the old tree as left there. */
static void leave_open_zones(const struct track *before)
{
	const struct open_zone *f;

	for (f = before->bottom + 1; f <= before->top; f++)
		if (f->cfa != UINTPTR_MAX && !lent_placeholder(f))
			lent_abandon_node(f->node);
}

/* Closes the old lineage. Its tid becomes 0, so no thread takes it over (succession.h). */
static void leave(struct track *before)
{
	struct lineage *l = before->lineage;

	leave_open_zones(before);
	if (before->callsites)
		callsites_end(before);
	if (before->watch)
		watch_end(before);
	ends_begin_thread(before);
	*before->current = l->record->root;
	l->on = l->home = NULL;
	__atomic_store_n(&l->tid, 0, __ATOMIC_RELEASE);
	tree_forget(&l->tree);
}

static void describe(struct zprof_thread *record, const struct zprof_thread *before)
{
	memcpy(record->name, before->name, sizeof(record->name));
	record->continued += record->continued < UINT16_MAX;
}

static void begin(struct track *k, struct lineage *l, const struct track *before,
		  const struct event *e)
{
	const struct zprof_recording *r = l->recording;
	uint64_t ticks = beginning(k, e, r);

	go_on(l, before, ticks);
	hand_over_stolen(k, before);
	if (ticks == r->began_ticks && clock_is_shared(k->process))
		k->paused = r->began_paused_ticks;
	k->awoken = before->awoken;
	describe(l->record, before->lineage->record);
}

/*
 * The kernel counts a thread's CPU time from the thread's beginning. The CPU time up to here,
 * `seen_ns`, is in the old record, so it is taken off in the new one.
 */
static void begin_sampler(struct track *k, struct lineage *l, uint64_t seen_ns)
{
	uint64_t looked_ns = l->record->looked_ns;

	threads_begin_notes(k, l);
	if (l->record->looked_ns - looked_ns >= seen_ns)
		l->record->looked_ns -= seen_ns;
}

/*
 * Takes the track to the latest recording. Signals are blocked, since a handler would find a track
 * that is partly of the old tree and partly of the new one.
 */
static bool cross(struct track *k, const struct event *e)
{
	uint64_t signals = sys_block_signals();
	struct lineage *l = threads_lineage(k->process, k->lineage->first_zone);
	struct track before = *k;

	if (l) {
		begin(k, l, &before, e);
		leave(&before);
	}
	sys_restore_signals(signals);
	if (!l)
		return false;
	notes_end(&before.lineage->notes, k->process, NULL, true);
	begin_sampler(k, l, before.lineage->notes.ran.seen_ns);
	return true;
}

/*
 * Notes that there was no room. `slept` is made to differ, so that open zones are compared with the
 * real stack when there is room again (awake.h).
 */
static enum crossing no_room(struct track *k, const struct zprof_recording *to)
{
	k->lineage->missed = to;
	k->slept = k->process->sites->slept - 1;
	return CROSSING_NO_ROOM;
}

static enum crossing look(struct track *k, const struct event *e)
{
	const struct zprof_recording *to = recordings_now(k->process);

	if (k->lineage->recording == to || pause_in_force(k->process))
		return CROSSING_NONE;
	if (k->lineage->missed == to)
		return CROSSING_NO_ROOM;
	if (sys_forbidden) { /* signals cannot be blocked */
		losses_count(k->process, ZPROF_LOSS_THREADS, 1);
		return no_room(k, to);
	}
	charge_until_end(k, e);
	awake_look(k, e);
	return cross(k, e) ? CROSSING_DONE : no_room(k, to);
}

/* A further recording may begin during this: then the loop, or the thread's next event, crosses. */
enum crossing crossing_look(struct track *k, const struct event *e)
{
	enum crossing found, all = CROSSING_NONE;

	do {
		found = look(k, e);
		if (found != CROSSING_NONE)
			all = found;
		if (found != CROSSING_NO_ROOM)
			paused_settle(k, e->ticks);
	} while (lineage_has_passed(k) && found == CROSSING_DONE);
	return all;
}
