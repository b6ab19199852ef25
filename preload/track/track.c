/* SPDX-License-Identifier: MIT */
/*
 * track.c - what the hot path leaves to others: new contexts, jumps that left zones open, frames
 * found the long way. See track.h.
 */
#include "preload/track/track.h"

#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/timebase.h"
#include "preload/code/location.h"
#include "preload/code/only.h"
#include "preload/sample/sample.h"
#include "preload/tree/tree.h"
#include "preload/sites/sites.h"
#include "preload/track/awake.h"
#include "preload/track/callsites.h"
#include "preload/track/check.h"
#include "preload/track/ends.h"
#include "preload/track/lineage.h"
#include "preload/track/pause.h"
#include "preload/track/stack.h"
#include "preload/track/unwind.h"
#include "preload/track/via.h"
#include "preload/track/watch.h"
#include "preload/lent/lent.h"

#define FIRST_FRAMES 1024u

__thread struct track track_self = {.busy = TRACK_UNREADY};

bool track_init(struct track *track, struct tree *tree, struct process *p, uint32_t thread,
		uint32_t level)
{
	struct open_zone *frames = sys_memory(FIRST_FRAMES * sizeof(*frames));

	if (!frames || !tree_init(tree, thread)) {
		sys_memory_free(frames, FIRST_FRAMES * sizeof(*frames));
		return false;
	}
	track->bottom = track->top = frames;
	track->limit = frames + FIRST_FRAMES;
	track->bottom->cfa = UINTPTR_MAX;
	track->tree = tree;
	track->callees = tree->callees;
	track->process = p;
	track->locations = p->locations->slots;
	track->level = level;
	track->alive = p->alive;
	track->slept = p->sites->slept;
	track->base = p->file->base;
	track->stack_low = 0;
	track->stack_bytes = UINTPTR_MAX;
	track->news = &ring_silence;
	return true;
}

void track_fini(struct track *track)
{
	sys_memory_free(track->bottom,
			(size_t)(track->limit - track->bottom) * sizeof(*track->bottom));
	tree_fini(track->tree);
}

bool track_more_frames(struct track *track)
{
	size_t n = (size_t)(track->limit - track->bottom),
	       used = (size_t)(track->top - track->bottom);
	struct open_zone *old = track->bottom, *frames = sys_memory(2 * n * sizeof(*frames));

	if (!frames)
		return false;
	memcpy(frames, old, (used + 1) * sizeof(*frames));
	track->bottom = frames;
	track->top = frames + used;
	track->limit = frames + 2 * n;
	if (track->level == 0)
		lineage_keep_frames(track); /* another thread may look at the old ones still */
	else
		sys_memory_free(old, n * sizeof(*frames));
	return true;
}

void track_rob(struct track *track, uint64_t ticks)
{
	cpu_add_once(&track->stolen, ticks);
	cpu_or_once(&track->busy, TRACK_MARK);
}

/*
 * A level on which no zone is open any more has no account of its own: what was taken from it was
 * taken from the hook that it interrupted.
 */
static void take_stolen(struct track *track)
{
	uint64_t stolen = cpu_swap_once(&track->stolen, 0);

	if (!stolen)
		return;
	if (track->level && track->top == track->bottom) {
		track->origin -= stolen;
		track_rob(lineage_below(track), stolen);
	} else {
		cpu_subtract_once(&track->top->node->self_ticks, stolen);
	}
}

void track_settle(struct track *track, uintptr_t sp)
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

/*
 * What is seen in a frame is in it, also if it was open before (ends.h).
 *
 * A ring may be replaced meanwhile. Levels above 0 look at every event, since all their events come
 * here. What is seen during a pause is nobody's.
 */
static void look(struct track *track, struct zprof_node *node)
{
	struct track *self = &track_self;

	if (track->frames && node && node != track->own_node && *self->news != self->known)
		frames_touch(track->frames, node);
	sampler_look(track->sampler, track->process, pause_in_force(track->process) ? NULL : node,
		     track->level);
	self->news = track->sampler->ring.head;
	self->known = track->sampler->ring.tail;
}

/*
 * A handler that ran meanwhile has taken its share; it is read on both sides of the clock so that
 * none falls between. Where handlers come at every instruction this is given up, and the time is
 * charged to the zone that is current next.
 */
void track_charge_own(struct track *track)
{
	uint64_t stolen, now, ticks;
	int tries;

	if (track->frames && track->own_node)
		frames_touch(track->frames, track->own_node);
	look(track, track->own_node);
	for (tries = 0; tries < 3; tries++) {
		stolen = *(volatile uint64_t *)&track->stolen;
		now = tick_now();
		if (stolen == *(volatile uint64_t *)&track->stolen)
			break;
	}
	ticks = now - *track->last;
	if (tries == 3 || (int64_t)ticks <= 0 || !track->own_node)
		return;
	track->own_node->self_ticks += ticks - stolen;
	track->own_node->calls++;
	track_charged(track, track->own_node);
	cpu_subtract_once(&track->stolen, stolen);
	*track->last = now;
}

/*
 * Hooks are off, or were when this thread had its last event. (Whoever switches them on counts first
 * that they were off.)
 */
static bool has_slept(const struct track *track)
{
	const struct sites *sites = track->process->sites;

	return track->awoken || __atomic_load_n(&sites->asleep, __ATOMIC_ACQUIRE) ||
	       __atomic_load_n(&sites->slept, __ATOMIC_RELAXED) != track->slept;
}

void track_abandon(struct track *track, struct open_zone *to)
{
	const struct open_zone *f;
	uint64_t zones = 0;

	for (f = track->top; f > to; f--)
		zones += f->cfa != UINTPTR_MAX; /* a barrier is no zone */
	if (to == track->top)
		return;
	losses_count(track->process, has_slept(track) ? ZPROF_SWITCHED_OPEN : ZPROF_REPAIR_JUMP,
		     zones);
	lent_abandon(track, to);
	track->top = to;
	*track->current = node_reference(track->base, to->node);
}

/* ---- the clock, and who looks from outside */

void track_look(struct track *track)
{
	look(track, track->top->node);
}

void track_overlook(struct track *track)
{
	look(track, NULL);
}

void track_look_now(void)
{
	struct track *self = &track_self;
	uintptr_t sp = (uintptr_t)__builtin_dwarf_cfa();

	if (self->busy || !*self->process->here)
		return;
	self->busy = sp;
	cpu_barrier();
	track_look(self);
	sampler_rest(self->sampler, self->process, self->bottom->node);
	if (cpu_subtract_and_test(&self->busy, sp))
		track_settle(self, sp);
}

/*
 * The event's reading may be older than the last charge: a handler came between the reading and the
 * hook's first store, and did its own charging. Only if the clock, read once more, is still behind
 * has it really gone back.
 */
void track_charge(struct track *track, const struct event *e)
{
	uint64_t elapsed = e->ticks - *track->last, last, now, back;

	if ((int64_t)elapsed >= 0) {
		track->top->node->self_ticks += elapsed;
		track_charged(track, track->top->node);
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

/* ---- enter */

/* Whether the code at `where` can run in the frame of an open zone. */
static bool goes_on(const struct track *track, const struct open_zone *f,
		    const struct location *where)
{
	const struct twin *t = twin_of(f->node);

	return location_goes_on(track->process, &(struct location){twin_ret(t), t->rule, t->host},
				where);
}

/* The innermost frame from `f` down that has been entered from the same place; NULL: none. */
static struct open_zone *entered_at(struct open_zone *f, uintptr_t ret)
{
	uintptr_t cfa = f->cfa;

	for (; f->cfa == cfa; f--)
		if (twin_ret(twin_of(f->node)) == ret)
			return f;
	return NULL;
}

/*
 * A function that is entered in a frame which began as one of its own, from a place that is not
 * open there, is a copy of it inlined into itself: entered anew it would begin where it began
 * before. (A folded node has forgotten where that was.)
 */
static bool into_itself(const struct track *track, const struct open_zone *f, uint64_t zone,
			const struct location *where)
{
	uintptr_t cfa = f->cfa;

	if (where->rule & LOCATION_INDIRECT || !goes_on(track, f, where))
		return false;
	for (; f[-1].cfa == cfa; f--)
		if (ZPROF_NODE_FLAGS(f->node) & ZPROF_NODE_FOLDED)
			return false;
	return f->node->zone == zone && !(ZPROF_NODE_FLAGS(f->node) & ZPROF_NODE_FOLDED);
}

/*
 * Of the frames, which is the real caller of a zone with this CFA that begins at `where`: the
 * others have been left by a jump.
 */
static struct open_zone *caller_of(const struct track *track, uintptr_t cfa, uint64_t zone,
				   struct location *where)
{
	struct open_zone *f = track->top, *same;

	while (f->cfa < cfa)
		f--;
	if (f->cfa != cfa)
		return f;
	same = entered_at(f, where->ret);
	if (!same && !(where->rule & LOCATION_INLINED) && into_itself(track, f, zone, where))
		location_is_inlined(track->process, where);
	if (!(where->rule & LOCATION_INLINED) || !goes_on(track, f, where)) {
		while (f->cfa == cfa)
			f--;
		return f;
	}
	/* As the hot path wants it: all that runs in a frame has the host that it began in. */
	if (twin_of(f->node)->host != LOCATION_ANY_HOST)
		where->host = twin_of(f->node)->host;
	return same ? same - 1 : f;
}

static void remember_location(struct zprof_node *node, const struct location *where)
{
	struct twin *t = twin_of(node);

	if (where->rule & LOCATION_INDIRECT) {
		t->ret = 0;
		t->exit_ret = 0;
	} else {
		if (!location_alike(t->rule, where->rule))
			t->exit_ret = 0;
		t->ret = where->ret;
	}
	t->rule = where->rule;
	t->host = where->host;
}

void track_remember(struct track *track, struct zprof_node *parent, uint32_t child)
{
	uint32_t reference = node_reference(track->base, parent);

	*tree_callee(track->callees, node_at(track->base, child)->zone, reference) =
	    (struct callee){reference, child};
}

bool track_push(struct track *track, const struct event *e, uintptr_t cfa,
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
		process_calibrate_again(track->process);
		track_charge_own(track);
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
	cpu_barrier();
	track->top++;
	*track->current = node_reference(track->base, child);
	if (track->callsites)
		callsites_entered(track, e);
	if (track->watch && twin_of(child)->tally & TWIN_WATCHED)
		watch_entered(track, e);
	return true;
}

struct zprof_node *track_continue(struct track *track, struct zprof_node *parent,
				  struct zprof_node *node)
{
	bool slow = false;
	struct zprof_node *child =
	    tree_child(track->process, track->tree, parent, node->zone, &slow);
	struct twin *t;

	if (!child)
		return NULL;
	if (lent_is(node)) {
		lent_continue(track, child);
		return child;
	}
	t = twin_of(child);
	t->ret = twin_ret(twin_of(node));
	t->exit_ret = twin_of(node)->exit_ret;
	t->rule = twin_of(node)->rule;
	t->host = twin_of(node)->host;
	return child;
}

uintptr_t track_stack_end(const struct track *track, const struct event *e)
{
	if (track->stack_bytes == UINTPTR_MAX)
		return e->sp + 4096;
	if (track->stack && !track->barriers && stack_holds(track->stack, e->sp))
		return track->stack->low + track->stack->bytes;
	return track->stack_low + track->stack_bytes;
}

void track_slow_enter(struct track *track, const struct event *e)
{
	struct location where;
	struct open_zone *caller;
	uintptr_t cfa;

	if (track->process->only->active && !only_wants(track->process, e->zone))
		return;
	if (!stack_at_home(track, e))
		return;
	if (pause_in_force(track->process) || sites_are_asleep(track->process)) {
		pause_met(track->process, e->ret);
		return;
	}
	cfa = location_find(track->process, e, track_stack_end(track, e), &where);
	caller = caller_of(track, cfa, e->zone, &where);
	track_charge(track, e);
	track_abandon(track, caller);
	if (track->watch)
		watch_left(track, e);
	track_push(track, e, cfa, &where);
	if (track->process->options->check)
		check_event(track, e);
}

/* ---- exit */

bool track_losses_explain(const struct process *p)
{
	const uint64_t *n = p->header->counters;

	return p->inherited || p->pause->ever || n[ZPROF_LOSS_BUDGET] || n[ZPROF_LOSS_SPACE] ||
	       n[ZPROF_LOSS_NESTING] || p->header->flags & ZPROF_FILTERED;
}

/*
 * The open frame that this exit ends, if it runs in the frame that the exit comes from; NULL: none
 * does. Frames above *live have been left by a jump.
 */
static struct open_zone *frame_of(const struct track *track, const struct event *e, uintptr_t cfa,
				  struct open_zone **live)
{
	struct open_zone *f = track->top;

	while (f->cfa < cfa)
		f--;
	*live = f;
	if (e->zone == EVENT_ANY_ZONE) {
		/* The function's own, below zones that were marked in it or are carried by it. */
		while (f->cfa == cfa)
			f--;
		return f == *live ? NULL : f + 1;
	}
	while (f->cfa == cfa && f->node->zone != e->zone)
		f--;
	return f->cfa == cfa ? f : NULL;
}

#define PARTS_MAX 4 /* parts of functions that call each other */

/* Whether the frame `cfa` was called by `caller`, or by what that called. */
static bool is_below(const struct track *track, const struct event *e, uintptr_t cfa,
		     uintptr_t caller)
{
	struct location where;
	struct place at;
	uintptr_t passed;
	bool end;
	int i;

	if (unwind_is_caller(track, e, cfa, caller, &where))
		return true;
	if (track->stack_bytes == UINTPTR_MAX || !unwind_first(track, e, cfa, &at))
		return false;
	for (i = 0; i < PARTS_MAX && unwind_next(track, &at, &passed, &end); i++)
		if (at.interrupted || passed >= caller)
			return !at.interrupted && passed == caller;
	return false;
}

/*
 * Compilers split functions (gcc's -fpartial-inlining, at -O2; clang's hot-cold splitting): f's
 * beginning is inlined into its callers, the rest becomes a function of its own, and the hooks of
 * one call of f come from two frames:
 *
 *     caller: enter f                          CFA ->  | frame of caller: f is open here |
 *             if (early out) exit f                    |                                 |
 *             else call f.part.0               CFA ->  |---------------------------------|
 *     f.part.0: ..., exit f                            | frame of f.part.0: none is open |
 *
 * The same holds for what was inlined into f's beginning. And parts call parts: where g begins with
 * a call of f, g's part calls f's.
 *
 * So an exit that finds its zone not open in the frame it comes from ends the innermost zone of
 * that name in the next frame with open zones, provided that
 *
 *   - that is a frame below which the exit's was called, by way of parts at the most, as the return
 *     addresses on the stack say. It is alive, then: what a jump has left is not believed to go on;
 *   - it is no handler's interrupted frame: a handler ends only what it has begun;
 *   - the exit does not come from the function itself (`where` is inlined, or a part). That begins
 *     with an enter of its own, which has been lost if it is not found.
 *
 * Recursion by way of a part is told apart by the frames: each activation has one in which it is
 * open, its caller's. Where the beginning of f is inlined into f's part too, the exit of the
 * innermost activation comes from the part that was called last, in whose own frame nothing is
 * open; that of the one before from the frame in which the innermost was open a moment ago.
 *
 * Result: the innermost zone of that frame; NULL: there is none.
 */
struct open_zone *track_split_from(const struct track *track, const struct event *e, uintptr_t cfa,
				   const struct location *where)
{
	struct open_zone *f = track->top;

	while (f->cfa <= cfa)
		f--;
	if (f->cfa == UINTPTR_MAX)
		return NULL;
	if (e->ret != e->call_site && !(where->rule & LOCATION_INLINED))
		return NULL;
	return is_below(track, e, cfa, f->cfa) ? f : NULL;
}

/* The open frame that an exit from elsewhere ends (see above), or NULL. */
static struct open_zone *split_from(const struct track *track, const struct event *e, uintptr_t cfa,
				    const struct location *where)
{
	struct open_zone *f;
	uintptr_t caller;

	if (e->zone == EVENT_ANY_ZONE)
		return NULL;
	f = track_split_from(track, e, cfa, where);
	if (!f)
		return NULL;
	for (caller = f->cfa; f->cfa == caller; f--)
		if (f->node->zone == e->zone)
			return f;
	return NULL;
}

void track_slow_exit(struct track *track, const struct event *e)
{
	struct location where = {0, LOCATION_INDIRECT, 0};
	struct open_zone *live, *ended;
	uintptr_t cfa;

	if (track->process->only->active && e->zone != EVENT_ANY_ZONE &&
	    !only_wants(track->process, e->zone))
		return;
	if (!stack_at_home(track, e))
		return;
	/*
	 * The jump at the end of a function that became a jump to the hook: its frame is gone, the
	 * return address is on top.
	 */
	if (e->ret == e->call_site)
		cfa = e->sp;
	else
		cfa = location_find(track->process, e, track_stack_end(track, e), &where);
	ended = frame_of(track, e, cfa, &live);
	if (!ended)
		ended = split_from(track, e, cfa, &where);
	track_charge(track, e);
	if (!ended) {
		track_abandon(track, live);
		if (sites_have_slept(track->process))
			losses_count(track->process, ZPROF_SWITCHED_EXIT,
				     !pause_in_force(track->process));
		else if (!track_losses_explain(track->process))
			losses_count(track->process, ZPROF_LOSS_EXIT, 1);
		return;
	}
	track_abandon(track, ended);
	if (!(where.rule & LOCATION_INDIRECT) &&
	    location_alike(where.rule, twin_of(ended->node)->rule))
		twin_of(ended->node)->exit_ret = e->ret;
	cpu_barrier();
	track->top = ended - 1;
	*track->current = node_reference(track->base, track->top->node);
	if (track->callsites)
		callsites_left(track, e);
	if (track->watch)
		watch_left(track, e);
	if (track->process->options->check)
		check_event(track, e);
}
