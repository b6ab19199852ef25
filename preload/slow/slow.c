/* SPDX-License-Identifier: MIT */
/* slow.c - see slow.h. */
#include "preload/slow/slow.h"

#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/code/only.h"
#include "preload/sites/sites.h"
#include "preload/recording/pause.h"
#include "preload/tree/tree.h"
#include "preload/frames/frames.h"
#include "preload/track/charge.h"
#include "preload/track/open.h"
#include "preload/calls/callsites.h"
#include "preload/calls/watch.h"
#include "preload/stacks/stack.h"
#include "preload/entries/entries.h"
#include "preload/unwind/caller.h"
#include "preload/unwind/check.h"
#include "preload/unwind/parts.h"
#include "preload/unwind/via.h"
#include "preload/slow/arrive.h"
#include "preload/slow/awake.h"

/* ---- enter */

static void remember_location(struct zprof_node *node, const struct location *where)
{
	bool indirect = where->rule & LOCATION_INDIRECT;

	twin_place(twin_of(node), indirect ? 0 : where->ret, where->rule, where->host);
}

static bool push(struct track *track, const struct event *e, uintptr_t cfa,
		 const struct location *where)
{
	struct zprof_node *parent = track->top->node;
	struct zprof_node *child = tree_find(track->process, track->tree, parent, e->zone);
	bool slow = false, full = track->top + 1 >= track->limit, first = !child || !child->calls;
	struct via via;

	if (first) {
		via_look(track, e, cfa, &via);
		slow = via.count != 0;
		parent = track->top->node;
		child = tree_child(track->process, track->tree, parent, e->zone, &slow);
	}
	if (!child)
		return false;
	if (full && !track_more_frames(track)) {
		losses_count(track->process, ZPROF_LOSS_SPACE, 1);
		return false;
	}
	if (slow || full) {
		charge_others(track);
		process_calibrate_again(track->process);
		charge_own(track);
	}
	if (first)
		via_record(track, &via, child);
	if (first && track->watch)
		watch_meet(track, child);
	if (track->frames)
		frames_touch(track->frames, child);
	remember_location(child, where);
	if (track->level == 0)
		track_remember(track, parent, node_reference(track->base, child));
	child->calls++;
	track->top[1].cfa = cfa;
	track->top[1].node = child;
	cpu_publish();
	track->top++;
	*track->current = node_reference(track->base, child);
	if (track->callsites)
		callsites_entered(track, e);
	if (track->watch && twin_of(child)->tally & TWIN_WATCHED)
		watch_entered(track, e);
	if (first)
		entries_look(track->process, e->ret);
	return true;
}

static bool is_left_out(const struct track *track, uint64_t zone)
{
	return track->process->only->active && !only_wants(track->process, zone);
}

/*
 * pause_met() may just have switched hooks off. A request to begin that came before that, when
 * hooks were on, must be answered here, since no other hook will be called.
 */
static void answer_late(struct track *track)
{
	if (request_waits() && track->level == 0)
		process_answer(track->process);
}

/*
 * The zone that called. Where functions end without a hook, the real stack tells. (caller_of() also finds
 * that a function is inlined at *where, which a call of __fentry__ never is.)
 */
static struct open_zone *find_caller(struct track *track, const struct event *e, uintptr_t cfa,
				     struct location *where)
{
	bool alone = track->process->entries_alone;
	struct open_zone *caller;

	if (alone && location_is_bare(e))
		return entries_caller(track, e, cfa);
	caller = caller_of(track, cfa, e->zone, where);
	if (alone && !(where->rule & LOCATION_INLINED))
		caller = entries_caller(track, e, cfa);
	return caller;
}

/* If a request waits, the event of a function that is left out answers it too. */
void slow_enter(struct track *track, const struct event *e)
{
	struct location where;
	struct open_zone *caller;
	bool asked = request_waits();
	uint32_t chosen = track->chosen;
	uintptr_t cfa;

	if (!asked && is_left_out(track, e->zone))
		return;
	if (!arrive(track, e))
		return;
	if ((asked || track->chosen != chosen) && is_left_out(track, e->zone))
		return; /* a choice that arrive() found leaves the function out */
	if (pause_in_force(track->process) || sites_are_asleep(track->process)) {
		pause_met(track->process, e->ret);
		answer_late(track);
		return;
	}
	cfa = location_find(track->process, e, stack_end(track, e), &where);
	caller = find_caller(track, e, cfa, &where);
	charge_event(track, e);
	open_abandon(track, caller);
	if (track->watch)
		watch_left(track, e);
	push(track, e, cfa, &where);
	if (track->process->options->check)
		check_event(track, e);
}

/* ---- exit */

bool slow_losses_explain(const struct process *p)
{
	const uint64_t *n = p->header->counters;

	return p->inherited || p->pause->ever || n[ZPROF_LOSS_BUDGET] || n[ZPROF_LOSS_SPACE] ||
	       n[ZPROF_LOSS_NESTING] || p->header->flags & ZPROF_FILTERED;
}

/*
 * The open zone that this exit ends, if it is open in the stack frame that the exit comes from,
 * else NULL. Open zones above *live have been left by a jump.
 */
static struct open_zone *frame_of(const struct track *track, const struct event *e, uintptr_t cfa,
				  struct open_zone **live)
{
	struct open_zone *f = track->top;

	while (f->cfa < cfa)
		f--;
	*live = f;
	if (e->zone == EVENT_ANY_ZONE) {
		/*
		 * The function's own zone is below zones marked by hand in it and zones it carries.
		 */
		while (f->cfa == cfa)
			f--;
		return f == *live ? NULL : f + 1;
	}
	while (f->cfa == cfa && f->node->zone != e->zone)
		f--;
	return f->cfa == cfa ? f : NULL;
}

/*
 * Whether the exit's function is left out and has no open zone: the function was entered after the
 * choice, or its zone has been taken off the zone stack (chosen.h). If the function was entered
 * before the choice and this thread has had no event since, its zone is still on top, and the exit
 * ends it.
 */
static bool has_no_zone(const struct track *track, const struct event *e, bool left_out)
{
	return left_out && track->top->node->zone != e->zone;
}

void slow_exit(struct track *track, const struct event *e)
{
	struct location where = {0, LOCATION_INDIRECT, 0};
	bool left_out = e->zone != EVENT_ANY_ZONE && is_left_out(track, e->zone);
	uint32_t chosen = track->chosen;
	struct open_zone *live, *ended;
	uintptr_t cfa;

	if (has_no_zone(track, e, left_out) || !arrive(track, e))
		return;
	if (track->chosen != chosen && e->zone != EVENT_ANY_ZONE)
		left_out = is_left_out(track, e->zone);
	if (has_no_zone(track, e, left_out))
		return;
	/*
	 * If the function ends with a jump to the hook, its frame is gone, and the hook returns to
	 * the function's caller.
	 */
	if (e->ret == e->call_site)
		cfa = e->sp;
	else
		cfa = location_find(track->process, e, stack_end(track, e), &where);
	ended = frame_of(track, e, cfa, &live);
	if (!ended && left_out)
		return;
	if (!ended)
		ended = parts_open(track, e, cfa, &where);
	charge_event(track, e);
	if (!ended) {
		open_abandon(track, live);
		if (sites_have_slept(track->process) || only_epoch(track->process->only))
			losses_count(track->process, ZPROF_SWITCHED_EXIT,
				     !pause_in_force(track->process) &&
					 !track->process->only->settling);
		else if (!slow_losses_explain(track->process))
			losses_count(track->process, ZPROF_LOSS_EXIT, 1);
		return;
	}
	open_abandon(track, ended);
	if (!(where.rule & LOCATION_INDIRECT) &&
	    location_alike(where.rule, twin_of(ended->node)->rule))
		twin_of(ended->node)->exit_ret = e->ret;
	cpu_publish();
	track->top = ended - 1;
	*track->current = node_reference(track->base, track->top->node);
	if (track->callsites)
		callsites_left(track, e);
	if (track->watch)
		watch_left(track, e);
	if (track->process->options->check)
		check_event(track, e);
}
