/* SPDX-License-Identifier: MIT */
/* stack.c - see stack.h. */
#include "preload/stacks/stack.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/track/lineage.h"
#include "preload/track/open.h"
#include "preload/stacks/arrays.h"
#include "preload/stacks/barriers.h"
#include "preload/stacks/bounds.h"
#include "preload/stacks/parked.h"

/*
 * A known stack inside the new one is gone. A known stack around it stays: a piece was carved out.
 */
void stack_learn(struct process *p, uintptr_t low, uintptr_t bytes)
{
	struct stack *s;

	while ((s = stacks_within(p, low, bytes)))
		parked_forget(p, s);
	s = stacks_add(p, low, bytes);
	if (s)
		arrays_note(&track_self, s, (uintptr_t)__builtin_dwarf_cfa());
}

/*
 * Learns a thread's own stack. Stacks known in these bounds have been unmapped since. But if
 * another thread is alive on one of them, its stack only shares the mapping (there is no guard page
 * between), and the new stack begins above it.
 */
static struct stack *learn_own(struct process *p, uintptr_t sp, uintptr_t low, uintptr_t bytes)
{
	struct stack *s;

	while ((s = stacks_within(p, low, bytes))) {
		uintptr_t end = s->low + s->bytes;

		if (s->running && end <= sp && !lineage_has_ended(s->running)) {
			bytes -= end - low;
			low = end;
		} else {
			parked_forget(p, s);
		}
	}
	s = stacks_find(p, sp);
	if (s && s->low == low)
		parked_forget(p, s);
	return stacks_add(p, low, bytes);
}

/* ---- switching */

static void settle_on(struct track *k, struct stack *s)
{
	k->stack = s;
	k->stack_serial = s->serial;
	k->stack_low = s->low;
	k->stack_bytes = s->bytes;
	s->running = k->lineage;
	k->lineage->on = s;
	k->lineage->taken = 0;
	if (stack_holds(s, sys_thread_pointer()))
		k->lineage->home = s;
}

/* Begins on a stack that another thread had before: zones put aside there never returned. */
static void begin_on(struct track *k, struct stack *s)
{
	parked_drop(k->process, s);
	settle_on(k, s);
}

/*
 * False: another thread runs on the stack and has taken its frames; or the stack's place in the
 * table was given to another stack.
 */
static bool still_runs_on(const struct track *k, const struct stack *s)
{
	return s->serial == k->stack_serial && s->running == k->lineage;
}

void stack_inherit(struct track *k, const struct track *before)
{
	struct stack *s = before->stack;

	k->stack = s;
	k->stack_serial = before->stack_serial;
	if (s && stacks_lock(s)) {
		if (still_runs_on(before, s))
			settle_on(k, s);
		stacks_unlock(s);
	}
	k->lineage->home = before->lineage->home;
	k->lineage->thread_pointer = before->lineage->thread_pointer;
	k->stack_low = before->stack_low;
	k->stack_bytes = before->stack_bytes;
	memcpy(k->barrier, before->barrier, sizeof(k->barrier));
	k->barriers = before->barriers;
}

static void leave(struct track *k)
{
	struct stack *s = k->stack;

	if (s && !stacks_lock(s)) {
		open_abandon(k, k->bottom);
	} else if (s) {
		/*
		 * Another thread may run on the stack already, and have taken its frames: then
		 * there is nothing to do, but if this thread has entered or left zones since, both
		 * ran there at once. Or the stack was forgotten.
		 */
		if (s->running == k->lineage && s->serial == k->stack_serial) {
			parked_put(s, k);
			s->running = NULL;
		} else if (s->serial != k->stack_serial) {
			open_abandon(k, k->bottom);
		} else if (k->lineage->taken &&
			   k->lineage->taken != node_reference(k->base, k->top->node)) {
			s->shared = true;
		}
		stacks_unlock(s);
	}
	k->top = k->bottom;
}

static void take_up(struct track *k, struct stack *s)
{
	struct lineage *other = s->running;

	if (other && other != k->lineage && lineage_has_ended(other))
		parked_outlives(other);
	if (!stacks_lock(s)) {
		settle_on(k, s);
		*k->current = node_reference(k->base, k->top->node);
		return;
	}
	if (s->running && s->running != k->lineage) {
		s->running->taken = parked_put_of(s, s->running);
		losses_count(k->process, ZPROF_REPAIR_SWITCH, 1);
	}
	parked_take(k, s);
	settle_on(k, s);
	stacks_unlock(s);
	*k->current = node_reference(k->base, k->top->node);
}

/*
 * A thread's first event may come from a coroutine's stack. The thread's own stack is known by the
 * thread pointer, which points into it.
 */
void stack_of_thread(struct track *k, uintptr_t sp)
{
	struct process *p = k->process;
	struct stack *s = stacks_find(p, sp);
	uintptr_t self = sys_thread_pointer(), low, bytes;
	bool own;

	k->barriers = 0;
	if (s && s->running && s->running == k->lineage && k->lineage->thread_pointer == self) {
		begin_on(k, s);
		return;
	}
	k->lineage->thread_pointer = self;
	k->lineage->home = NULL;
	own = bounds_of_own(sp, &low, &bytes);
	if (bytes == BOUNDS_UNKNOWN && s && sp < self && stack_holds(s, self)) {
		own = true; /* the place of an earlier thread's own stack */
		low = s->low;
		bytes = self + sizeof(uintptr_t) - low;
	}
	if (s && !own) {
		take_up(k, s);
		return;
	}
	s = NULL;
	if (own)
		s = learn_own(p, sp, low, bytes);
	else if (bytes != BOUNDS_UNKNOWN)
		s = stacks_add(p, low, bytes);
	if (s) {
		begin_on(k, s);
		return;
	}
	k->stack = NULL;
	k->lineage->on = NULL;
	k->stack_low = 0;
	k->stack_bytes = UINTPTR_MAX;
}

/*
 * The stack around `sp`, known or learned now. The stack that is being left may lie in the same
 * mapping, at either end, and is cut off. NULL: the bounds are not known. A stack without bounds is
 * not added, since it would hold every address.
 */
static struct stack *known_or_learned(const struct track *k, uintptr_t sp)
{
	struct stack *s = arrays_find_living(k, sp);
	uintptr_t low, bytes, end = k->stack_low + k->stack_bytes;

	if (s)
		return s;
	if (bounds_of_own(sp, &low, &bytes))
		return learn_own(k->process, sp, low, bytes);
	if (bytes == BOUNDS_UNKNOWN)
		return NULL;
	if (sp >= end && low < end) {
		bytes -= end - low;
		low = end;
	} else if (sp < k->stack_low && low + bytes > k->stack_low) {
		bytes = k->stack_low - low;
	}
	return stacks_add(k->process, low, bytes);
}

void stack_switch(struct track *k, const struct event *e)
{
	uintptr_t low, bytes;
	struct stack *s;

	if (barriers_lift(k, e->sp))
		return;
	if (bounds_of_signal_stack(e->sp, &low, &bytes)) {
		barriers_put(k, low, bytes);
		return;
	}
	if (k->level) {
		stack_of_level(k, k, e->sp);
		return;
	}
	s = known_or_learned(k, e->sp);
	if (!s) {
		k->stack_low = 0;
		k->stack_bytes = UINTPTR_MAX;
		return;
	}
	barriers_lift_all(k);
	if (arrays_runs_on(k, s)) {
		arrays_confine(k, e->sp);
		return;
	}
	losses_count(k->process, ZPROF_REPAIR_SWITCH, 1);
	leave(k);
	take_up(k, s);
	arrays_confine(k, e->sp);
}

void stack_of_level(struct track *k, const struct track *below, uintptr_t sp)
{
	const struct stack *s;
	uintptr_t low, bytes;

	if (!barriers_came_through(below, sp, &low, &bytes) &&
	    !bounds_of_signal_stack(sp, &low, &bytes)) {
		s = stacks_find(k->process, sp);
		low = s ? s->low : 0;
		bytes = s ? s->bytes : UINTPTR_MAX;
	}
	k->stack_low = low;
	k->stack_bytes = bytes;
	k->barriers = 0;
}

uintptr_t stack_end(const struct track *track, const struct event *e)
{
	if (track->stack_bytes == UINTPTR_MAX)
		return e->sp + 4096;
	if (track->stack && !track->barriers && stack_holds(track->stack, e->sp))
		return track->stack->low + track->stack->bytes;
	return track->stack_low + track->stack_bytes;
}
