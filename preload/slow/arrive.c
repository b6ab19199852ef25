/* SPDX-License-Identifier: MIT */
/* arrive.c - see arrive.h. */
#include "preload/slow/arrive.h"

#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/track/charge.h"
#include "preload/track/lineage.h"
#include "preload/track/paused.h"
#include "preload/stacks/stack.h"
#include "preload/entries/sampled.h"
#include "preload/slow/awake.h"
#include "preload/slow/chosen.h"
#include "preload/slow/crossing.h"

/*
 * Answers the request that waits. The answer may take long, so its time is charged to the library,
 * and the program's time before it to the zone on top.
 */
static void answer(struct track *k, const struct event *e)
{
	bool charges = request_chooses() && !pause_in_force(k->process) &&
		       k->slept == k->process->sites->slept;

	if (charges) {
		paused_settle(k, e->ticks);
		charge_look(k, e);
		charge_event(k, e);
		charge_others(k);
	}
	process_answer(k->process);
	if (charges)
		charge_own(k);
}

static bool is_elsewhere(const struct track *k, const struct event *e)
{
	return e->sp - k->stack_low >= k->stack_bytes;
}

/*
 * A thread that shares this one's storage runs on another stack. Its event is known by that before
 * anything else is looked at, since what arrive() does next is the track's own thread's alone.
 */
bool arrive(struct track *k, const struct event *e)
{
	enum crossing crossing;

	if (!*k->process->here && (k->level != 0 || !crossing_forked()))
		return false;
	if (is_elsewhere(k, e) && lineage_is_anothers(k->lineage))
		return false;
	k->awoken = false;
	if (request_waits() && k->level == 0)
		answer(k, e);
	crossing = k->level ? CROSSING_NONE : crossing_look(k, e);
	if (crossing == CROSSING_NO_ROOM)
		return false;
	awake_look(k, e);
	chosen_look(k, e);
	sampled_before_look(k, e);
	charge_look(k, e);
	if (crossing == CROSSING_DONE) {
		charge_event(k, e);
		charge_own(k);
	}
	if (is_elsewhere(k, e)) {
		charge_event(k, e);
		stack_switch(k, e);
		awake_look(k, e);
		chosen_look(k, e);
	}
	return true;
}
