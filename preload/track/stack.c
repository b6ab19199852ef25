/* SPDX-License-Identifier: MIT */
/* stack.c - see stack.h. */
#include "preload/track/stack.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/process/request.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/sites/sites.h"
#include "preload/tree/tree.h"
#include "preload/track/awake.h"
#include "preload/track/bounds.h"
#include "preload/track/charge.h"
#include "preload/track/chosen.h"
#include "preload/track/lineage.h"
#include "preload/track/pause.h"
#include "preload/track/stacks.h"
#include "preload/lent/lent.h"

/* The frame of a lent zone that has no node of its own (lent.h). */
static bool is_placeholder(const struct stack *s, uint32_t i)
{
	return i ? s->frames[i].node == s->frames[i - 1].node : !s->frames[i].node->parent;
}

/* What is open on a stack that is put aside never returned. */
static void drop_frames(struct process *p, struct stack *s)
{
	uint32_t i;

	for (i = 0; i < s->count; i++) {
		if (s->frames[i].cfa == UINTPTR_MAX)
			continue;
		losses_count(p, ZPROF_REPAIR_JUMP, 1);
		if (!is_placeholder(s, i))
			lent_abandon_node(s->frames[i].node);
	}
	s->count = 0;
}

/*
 * Nobody runs on it, though who ran there last may not have had an event elsewhere. (Without the
 * lock, what is put aside there may not be looked at.)
 */
static void forget(struct process *p, struct stack *s)
{
	struct lineage *last = s->running;

	if (last && last != track_self.lineage && lineage_has_ended(last))
		stack_outlives(last);
	if (s->around && s->around->serial == s->around_serial)
		s->around->arrays--;
	if (!stacks_lock(s)) {
		losses_count(p, ZPROF_REPAIR_JUMP, s->count);
		stacks_remove(p, s);
		return;
	}
	drop_frames(p, s);
	stacks_remove(p, s);
	stacks_unlock(s);
}

/* ---- stacks that are arrays in frames of another */

static bool runs_on(const struct track *k, const struct stack *s)
{
	return s && s == k->stack && s->serial == k->stack_serial;
}

/*
 * A track that runs on a stack with arrays in its frames takes for its own what lies below them. An
 * array that lies below sp is in no frame any more. Where it begins, sp may be of the frame it is in,
 * with nothing else below; on a stack of its own there would be no room for what a call pushes.
 */
static void confine(struct track *k, uintptr_t sp)
{
	struct stacks *all = k->process->stacks;
	struct stack *s = k->stack;
	uintptr_t end = s->low + s->bytes;
	uint32_t i, n = s->arrays ? __atomic_load_n(&all->count, __ATOMIC_ACQUIRE) : 0;

	for (i = 0; i < n && i < STACKS_MAX; i++) {
		struct stack *a = &all->table[i];

		if (!a->bytes || a->around != s || a->around_serial != s->serial)
			continue;
		if (a->low + a->bytes <= sp)
			forget(k->process, a);
		else if (a->low < end)
			end = a->low + sizeof(uintptr_t);
	}
	k->stack_low = s->low + (s->around ? sizeof(uintptr_t) : 0);
	k->stack_bytes = end - k->stack_low;
}

/* Is the stack an array in a frame? Then the innermost open zone above is the one to outlive it. */
static void note_array(struct track *k, struct stack *s, uintptr_t sp)
{
	uintptr_t end = s->low + s->bytes;
	const struct open_zone *f = k->top;

	if (k->busy || k->barriers || !runs_on(k, k->stack) || !stack_holds(k->stack, sp) ||
	    !stack_holds(k->stack, end - 1) || s->low < sp)
		return;
	while (f->cfa < end)
		f--;
	s->owner_cfa = f->cfa;
	s->owner_zone = f->node->zone;
	s->around = k->stack;
	s->around_serial = k->stack_serial;
	s->around->arrays++;
	confine(k, sp);
}

/* Whether the zone that an array does not outlive is open. */
static bool is_owned(const struct track *k, const struct stack *a)
{
	const struct stack *around = a->around;
	const struct open_zone *f;
	uint32_t i;

	if (around->serial != a->around_serial)
		return false;
	if (a->owner_cfa == UINTPTR_MAX)
		return true;
	if (runs_on(k, around)) {
		for (f = k->top; f > k->bottom; f--)
			if (f->cfa == a->owner_cfa && f->node->zone == a->owner_zone)
				return true;
		return false;
	}
	for (i = 0; i < around->count; i++)
		if (around->frames[i].cfa == a->owner_cfa &&
		    around->frames[i].node->zone == a->owner_zone)
			return true;
	return around->running != NULL;
}

/* The stack around an address that is none of an array whose function has been left; or NULL. */
static struct stack *find_living(const struct track *k, uintptr_t sp)
{
	struct stack *s;

	uintptr_t used = sp - sizeof(uintptr_t);

	while ((s = stacks_find(k->process, used)) && s->around && s != k->stack && !is_owned(k, s))
		forget(k->process, s);
	return s;
}

bool stack_holds_address(const struct track *k, uintptr_t address)
{
	return address - k->stack_low < k->stack_bytes ||
	       (!k->barriers && runs_on(k, k->stack) && stack_holds(k->stack, address));
}

/* Whatever begins inside of the new one is gone; one that encloses it (it was carved out) is not.
 */
void stack_learn(struct process *p, uintptr_t low, uintptr_t bytes)
{
	struct stack *s;

	while ((s = stacks_within(p, low, bytes)))
		forget(p, s);
	s = stacks_add(p, low, bytes);
	if (s)
		note_array(&track_self, s, (uintptr_t)__builtin_dwarf_cfa());
}

/*
 * A thread's own stack. What was known there has been unmapped since, unless another thread is
 * alive on it: then its stack, without a guard between, lies in the same mapping.
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
			forget(p, s);
		}
	}
	s = stacks_find(p, sp);
	if (s && s->low == low)
		forget(p, s);
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
	if (stack_holds(s, sys_thread_pointer()))
		k->lineage->home = s;
}

/* What was open on a stack that has been put aside and is now another thread's never returned. */
static void begin_on(struct track *k, struct stack *s)
{
	drop_frames(k->process, s);
	settle_on(k, s);
}

void stack_inherit(struct track *k, const struct track *before)
{
	if (before->stack)
		settle_on(k, before->stack);
	k->lineage->home = before->lineage->home;
	k->stack_low = before->stack_low;
	k->stack_bytes = before->stack_bytes;
	memcpy(k->barrier, before->barrier, sizeof(k->barrier));
	k->barriers = before->barriers;
}

static bool room_for(struct stack *s, uint32_t count)
{
	uint32_t room = s->room ? s->room : 256;
	struct parked *frames;

	while (room < count)
		room *= 2;
	if (room == s->room)
		return true;
	frames = sys_memory(room * sizeof(*frames));
	if (!frames)
		return false;
	sys_memory_free(s->frames, s->room * sizeof(*frames));
	s->frames = frames;
	s->room = room;
	return true;
}

/* Copies all frames but the bottom's from a track to the stack they belong to. */
static void put_aside(struct stack *s, const struct track *k)
{
	uint32_t count = (uint32_t)(k->top - k->bottom), i;

	s->count = 0;
	s->slept = k->slept;
	s->chosen = k->chosen;
	s->owner = k->lineage;
	if (!room_for(s, count)) {
		losses_count(k->process, ZPROF_LOSS_SPACE, count);
		return;
	}
	for (i = 0; i < count; i++) {
		const struct open_zone *f = &k->bottom[i + 1];
		const struct twin *t = twin_of(f->node);

		s->frames[i] = (struct parked){f->cfa, f->node, twin_ret(t), t->rule, t->host};
	}
	s->count = count;
}

/*
 * The same for another thread, whose own storage may be gone: its frames are not, and the top one
 * is that of the node that the profile says is current. What it had open on a signal stack (above a
 * barrier) it has left.
 *
 * Where bounds are wrong (two stacks in one mapping, which nobody told of), the other thread runs
 * there still, and its frames change meanwhile. So no more is believed of them than that they are
 * frames; where the node is not found, nothing is put aside.
 */
static void put_aside_of(struct stack *s, const struct lineage *l)
{
	struct track k = l->saved;
	const struct zprof_node *node = node_at(k.base, l->record->current[0]);

	lineage_look_at_frames(l, &k);
	for (k.top = k.bottom; k.top->node != node; k.top++)
		if (k.top + 1 >= k.limit || !k.top[1].node) {
			k.top = k.bottom;
			break;
		} else if (k.top[1].cfa == UINTPTR_MAX) {
			break;
		}
	for (; node != k.top->node && node->parent; node = node_at(k.base, node->parent))
		losses_count(k.process, ZPROF_REPAIR_JUMP, 1);
	put_aside(s, &k);
}

void stack_outlives(struct lineage *l)
{
	struct stack *s = l->on;

	if (!s || s == l->home || s->running != l || !stacks_lock(s))
		return;
	if (s->running == l) {
		put_aside_of(s, l);
		s->running = NULL;
		l->record->current[0] = l->record->root;
	}
	stacks_unlock(s);
}

static void leave(struct track *k)
{
	struct stack *s = k->stack;

	if (s && !stacks_lock(s)) {
		track_abandon(k, k->bottom);
	} else if (s) {
		/*
		 * Another thread may have taken the stack up already, with its frames; or it was
		 * forgotten.
		 */
		if (s->running == k->lineage && s->serial == k->stack_serial) {
			put_aside(s, k);
			s->running = NULL;
		} else if (s->serial != k->stack_serial) {
			track_abandon(k, k->bottom);
		}
		stacks_unlock(s);
	}
	k->top = k->bottom;
}

/* The twin of a node says again what it said when the zone was put aside. */
static void restore_twin(struct zprof_node *node, const struct parked *from)
{
	struct twin *t = twin_of(node);

	if (from->rule == LOCATION_LENT)
		return;
	if (t->rule != from->rule)
		t->exit_ret = 0;
	t->ret = from->ret;
	t->rule = from->rule;
	t->host = from->host;
}

/* False: no room for it, and so not for those above. */
static bool take_up_frame(struct track *k, const struct stack *s, uint32_t i)
{
	const struct parked *from = &s->frames[i];
	struct zprof_node *node = k->top->node;

	if (k->top + 1 >= k->limit && !track_more_frames(k))
		return false;
	if (from->cfa != UINTPTR_MAX && !is_placeholder(s, i)) {
		node = s->owner == k->lineage ? from->node : track_continue(k, node, from->node);
		if (!node)
			return false;
		restore_twin(node, from);
	}
	k->top[1].cfa = from->cfa;
	k->top[1].node = node;
	k->top++;
	return true;
}

static void take_up(struct track *k, struct stack *s)
{
	struct lineage *other = s->running;
	uint32_t i;

	if (other && other != k->lineage && lineage_has_ended(other))
		stack_outlives(other);
	if (!stacks_lock(s)) {
		settle_on(k, s);
		*k->current = node_reference(k->base, k->top->node);
		return;
	}
	if (s->running && s->running != k->lineage) {
		put_aside_of(s, s->running);
		losses_count(k->process, ZPROF_REPAIR_SWITCH, 1);
	}
	for (i = 0; i < s->count && take_up_frame(k, s, i); i++)
		;
	k->slept = s->count ? s->slept : k->process->sites->slept;
	k->chosen = s->count ? s->chosen : k->chosen;
	s->count = 0;
	settle_on(k, s);
	stacks_unlock(s);
	*k->current = node_reference(k->base, k->top->node);
}

/*
 * A thread's first event may come from a coroutine. A thread's own stack is the one that also holds
 * what the thread pointer points to, which libc puts there.
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
		own = true; /* where a thread's was before */
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

/* ---- signal stacks */

static bool put_barrier(struct track *k, uintptr_t low, uintptr_t bytes)
{
	struct barrier *b = &k->barrier[k->barriers];

	if (k->barriers == TRACK_BARRIERS || (k->top + 1 >= k->limit && !track_more_frames(k)))
		return false;
	b->depth = (size_t)(k->top - k->bottom);
	b->low = k->stack_low;
	b->bytes = k->stack_bytes;
	k->barriers++;
	k->top[1].cfa = UINTPTR_MAX;
	k->top[1].node = k->top->node;
	k->top++;
	k->stack_low = low;
	k->stack_bytes = bytes;
	return true;
}

/* The signal stack has been left: what is open above the barrier never returned. */
static void lift_barrier(struct track *k, uint32_t which)
{
	const struct barrier *b = &k->barrier[which];

	if (k->top > k->bottom + b->depth + 1)
		track_abandon(k, k->bottom + b->depth + 1);
	k->top = k->bottom + b->depth;
	*k->current = node_reference(k->base, k->top->node);
	k->stack_low = b->low;
	k->stack_bytes = b->bytes;
	k->barriers = which;
}

/* Back on a stack below a barrier. */
static bool lift_barriers(struct track *k, uintptr_t sp)
{
	uint32_t i = k->barriers;

	while (i-- > 0)
		if (sp - k->barrier[i].low < k->barrier[i].bytes) {
			lift_barrier(k, i);
			return true;
		}
	return false;
}

/*
 * The stack that is being left may lie in the same mapping, at either end. What lies in no known
 * bounds is no stack to be found again: it would hold every address, and be every thread's.
 */
static struct stack *known_or_learned(const struct track *k, uintptr_t sp)
{
	struct stack *s = find_living(k, sp);
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

static void switch_stack(struct track *k, const struct event *e)
{
	uintptr_t low, bytes;
	struct stack *s;

	if (lift_barriers(k, e->sp))
		return;
	if (bounds_of_signal_stack(e->sp, &low, &bytes)) {
		put_barrier(k, low, bytes);
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
	if (k->barriers)
		lift_barrier(k, 0);
	if (runs_on(k, s)) {
		confine(k, e->sp);
		return;
	}
	losses_count(k->process, ZPROF_REPAIR_SWITCH, 1);
	leave(k);
	take_up(k, s);
	confine(k, e->sp);
}

/* Which of the stacks that a track knows it has come through holds an address. */
static bool came_through(const struct track *k, uintptr_t sp, uintptr_t *low, uintptr_t *bytes)
{
	uint32_t i = k->barriers;

	*low = k->stack_low;
	*bytes = k->stack_bytes;
	while (sp - *low >= *bytes && i-- > 0) {
		*low = k->barrier[i].low;
		*bytes = k->barrier[i].bytes;
	}
	return sp - *low < *bytes;
}

void stack_of_level(struct track *k, const struct track *below, uintptr_t sp)
{
	const struct stack *s;
	uintptr_t low, bytes;

	if (!came_through(below, sp, &low, &bytes) && !bounds_of_signal_stack(sp, &low, &bytes)) {
		s = stacks_find(k->process, sp);
		low = s ? s->low : 0;
		bytes = s ? s->bytes : UINTPTR_MAX;
	}
	k->stack_low = low;
	k->stack_bytes = bytes;
	k->barriers = 0;
}

/* What is asked may take long: it is no time of the program's. */
static void answer(struct track *k, const struct event *e)
{
	bool charges = request_chooses() && !pause_in_force(k->process) &&
		       k->slept == k->process->sites->slept;

	if (charges) {
		pause_settle(k, e->ticks);
		charge_look(k);
		charge_event(k, e);
	}
	process_answer(k->process);
	if (charges)
		charge_own(k);
}

bool stack_at_home(struct track *k, const struct event *e)
{
	if (!*k->process->here && (k->level != 0 || !lineage_begin_forked()))
		return false;
	k->awoken = false;
	if (request_waits() && k->level == 0)
		answer(k, e);
	pause_settle(k, e->ticks);
	awake_look(k, e);
	chosen_look(k, e);
	charge_look(k);
	if (e->sp - k->stack_low >= k->stack_bytes) {
		if (lineage_is_anothers(k->lineage))
			return false;
		charge_event(k, e);
		switch_stack(k, e);
		awake_look(k, e);
		chosen_look(k, e);
	}
	return true;
}
