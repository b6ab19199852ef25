/* SPDX-License-Identifier: MIT */
/* charge.c - see charge.h. */
#include "preload/track/charge.h"

#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/timebase.h"
#include "preload/recording/pause.h"
#include "preload/sample/away.h"
#include "preload/sample/notes.h"
#include "preload/frames/frames.h"
#include "preload/track/levels.h"
#include "preload/track/lineage.h"

/* ---- the kernel's notes */

/*
 * Reads the notes, and charges them to `node`; notes of a pause go to no node. A node that is
 * charged during a turn of the main loop belongs to that turn, also if its zone was open before the
 * turn began (ends.h).
 *
 * notes_look() may replace the ring, so `news` is set anew. Levels above 0 look at every event,
 * since all their events come here.
 */
static void look(struct track *track, struct zprof_node *node, uint64_t ticks)
{
	struct track *self = &track_self;

	if (track->frames && node && node != track->own_node && *self->news != self->known)
		frames_touch(track->frames, node);
	notes_look(track->notes, track->process, pause_in_force(track->process) ? NULL : node,
		   track->level, ticks);
	self->news = track->notes->ring.head;
	self->known = notes_known(track->notes);
}

void charge_look(struct track *track, const struct event *e)
{
	look(track, track->top->node, e->ticks);
}

void charge_others(struct track *track)
{
	away_charge_queued(track->notes, track->process, track->top->node);
}

void charge_overlook(struct track *track)
{
	look(track, NULL, 0);
}

static void look_now(void (*then)(struct notes *, struct process *, struct zprof_node *))
{
	struct track *self = &track_self;
	uintptr_t sp = (uintptr_t)__builtin_dwarf_cfa();

	if (self->busy || !*self->process->here)
		return;
	self->busy = sp;
	cpu_barrier();
	look(self, self->top->node, 0);
	then(self->notes, self->process, self->bottom->node);
	self->known = notes_known(self->notes);
	if (cpu_subtract_and_test(&self->busy, sp))
		charge_settle(self, sp);
}

void charge_look_now(void)
{
	look_now(notes_rest);
}

void charge_look_ahead(void)
{
	look_now(notes_outlast);
}

/* ---- the clock */

/*
 * The event's clock reading may be older than the last charge: a handler may have come between the
 * reading and the hook's first store, and charged up to a later moment. The clock has gone back
 * only if a second reading is still before the last charge. The ticks by which it went back are
 * then made good in the thread's account, or in the level's.
 */
void charge_event(struct track *track, const struct event *e)
{
	uint64_t elapsed = e->ticks - *track->last, last, now, back;

	if ((int64_t)elapsed >= 0) {
		track->top->node->self_ticks += elapsed;
		charge_made(track, track->top->node);
		*track->last = e->ticks;
		return;
	}
	last = *(volatile uint64_t *)track->last;
	now = tick_now();
	if ((int64_t)(now - last) >= 0 || lineage_is_anothers(track->lineage))
		return;
	now = timebase_is_back(track->process, *track->last, now);
	if ((int64_t)(now - *track->last) >= 0)
		return;
	back = *track->last - now;
	if (track->level == 0) {
		track->lineage->record->active_ticks += back;
	} else {
		track->since -= back;
		track->origin -= back;
	}
	*track->last = now;
}

/*
 * A handler that interrupted the library's work has its share in `stolen`. `stolen` is read before
 * and after the clock, and the pair is used only if no handler came between. After three tries that
 * a handler spoilt, the time is left to the zone that is current next.
 */
void charge_own(struct track *track)
{
	uint64_t stolen, now, ticks;
	int tries;

	if (track->frames && track->own_node)
		frames_touch(track->frames, track->own_node);
	look(track, track->own_node, 0);
	if (track->own_node)
		away_charge_queued(track->notes, track->process, track->own_node);
	for (tries = 0; tries < 3; tries++) {
		stolen = *(volatile uint64_t *)&track->stolen;
		now = tick_now();
		if (stolen == *(volatile uint64_t *)&track->stolen)
			break;
	}
	/* Others may have had the processor since the look above. */
	look(track, track->own_node, now);
	ticks = now - *track->last;
	if (tries == 3 || (int64_t)ticks <= 0 || !track->own_node)
		return;
	track->own_node->self_ticks += ticks - stolen;
	track->own_node->calls++;
	charge_made(track, track->own_node);
	cpu_subtract_once(&track->stolen, stolen);
	*track->last = now;
}

/* ---- what handlers took */

void charge_rob(struct track *track, uint64_t ticks)
{
	cpu_add_once(&track->stolen, ticks);
	cpu_or_once(&track->busy, TRACK_MARK);
}

/*
 * Takes `stolen` off the node on top. A level above 0 with no open zone has no node to take it
 * off, so the time is taken from the hook that this level had interrupted.
 */
static void take_stolen(struct track *track)
{
	uint64_t stolen = cpu_swap_once(&track->stolen, 0);

	if (!stolen)
		return;
	if (track->level && track->top == track->bottom) {
		track->origin -= stolen;
		charge_rob(levels_below(track), stolen);
	} else {
		cpu_subtract_once(&track->top->node->self_ticks, stolen);
	}
}

void charge_settle(struct track *track, uintptr_t sp)
{
	int tries;

	for (tries = 0; tries < 3; tries++) {
		track->busy = sp;
		cpu_barrier();
		take_stolen(track);
		if (!cpu_subtract_and_test(&track->busy, sp))
			return;
	}
	track->busy = TRACK_UNSETTLED;
	take_stolen(track);
	track->busy = 0;
}
