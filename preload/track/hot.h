/* SPDX-License-Identifier: MIT */
/*
 * hot.h - the two functions that run at every call and every return of the user's program.
 *
 * Under clock=exact these functions cost about as much as reading the clock. The reading comes
 * first and takes 10 to 25 ns. The loads and compares below do not need its result until the
 * charge, so the processor runs them while the reading is under way. Nothing here calls, locks or
 * allocates. In any unusual case the answer is false, before anything has been changed, and
 * slow_enter() or slow_exit() (slow.h) starts over and takes its time.
 *
 * The functions are compiled once for each way of timing (enum timing), and one such instance is
 * chosen at start (hooks.h), so that none pays for another. `timing` is a constant in each
 * instance, so the compiler leaves out the code for the other ways.
 *
 * This header is included by the files that make instances: hooks.c and fentry.c for users' calls,
 * through front.h; calibrate.c to measure them; hand.c and lent/ for zones that are no functions.
 * tick_read() comes from tick_tsc.h or tick_fake.h, which the Makefile includes.
 */
#ifndef ZPROF_HOT_H
#define ZPROF_HOT_H

#include "preload/clock/tick.h"
#include "preload/track/charge.h"
#include "preload/track/track.h"

#define HOT      static inline __attribute__((always_inline))
#define USUAL(x) __builtin_expect(!!(x), 1)
#define RARE(x)  __builtin_expect(!!(x), 0)

enum timing {
	TIMING_EXACT, /* the clock is read at every event */
	TIMING_COUNT, /* the clock is not read at all */
};

/* How many of the usual cases are tried. */
enum effort {
	QUICK,   /* the cases of most events, in few registers */
	THOROUGH /* all cases */
};

/* How many places of the hash are tried for a child. */
#define HASH_TRIES 8

/* The clock's reading, in ticks; 0 in an instance that does not read it. */
HOT uint64_t hot_clock(enum timing timing)
{
	return timing == TIMING_EXACT ? tick_read() : 0;
}

/*
 * Describes the call of the hook that this function is inlined into: the program called the hook,
 * so the stack pointer and return address here are the hook's. The clock is read first.
 */
HOT struct event hot_event(uintptr_t zone, uintptr_t call_site, enum timing timing)
{
	struct event e;

	e.ticks = hot_clock(timing);
	e.zone = zone;
	e.call_site = call_site;
	e.sp = (uintptr_t)__builtin_dwarf_cfa();
	e.ret = (uintptr_t)__builtin_return_address(0);
	e.bp = cpu_frame_pointer();
	return e;
}

/* Describes an event that no time is charged for. (The tests' fake clock does not move on.) */
HOT struct event hot_quiet_event(uintptr_t zone)
{
	struct event e = hot_event(zone, 0, TIMING_COUNT);

	e.ticks = tick_now();
	return e;
}

/* The rbp that a CFA is found by. (Tests define HOT_BP to make one up.) */
#ifndef HOT_BP
#define HOT_BP(event) cpu_frame_pointer()
#endif

/* The CFA of an event, by its location's rule. */
HOT uintptr_t hot_cfa(uint32_t rule, const struct event *e)
{
	return location_cfa(rule, e->sp, HOT_BP(e));
}

/* Sets busy. Between this and hot_end() every signal handler finds busy set. */
HOT void hot_begin(struct track *k, uintptr_t sp)
{
	k->busy = sp;
	cpu_barrier();
}

/*
 * Clears busy. True: a handler left its mark. One instruction does both, so no handler can come
 * between the two.
 */
HOT bool hot_end_marked(struct track *k, uintptr_t sp)
{
	return RARE(cpu_subtract_and_test(&k->busy, sp));
}

HOT void hot_end(struct track *k, uintptr_t sp)
{
	if (hot_end_marked(k, sp))
		charge_settle(k, sp);
}

/*
 * Whether recording goes on, in this process, on the stack that the track knows, and no new note
 * has come from the kernel. (A forked child does not have the memory that `news` points to, so it
 * must not load from there: hence the branch between the two tests.)
 */
HOT bool hot_at_home(const struct track *k, uintptr_t sp)
{
	return USUAL(*k->alive == PROCESS_ALIVE) &&
	       USUAL((sp - k->stack_low < k->stack_bytes) & (*k->news == k->known));
}

/*
 * Whether the location that returns to `ret` is known, and its CFA is found by the rule in the
 * node's twin. An event may come from another location than the one before it: a function can be
 * inlined twice into its caller, or into itself, or have two ways out.
 */
HOT bool hot_like(const struct twin *t, const struct location *l, uintptr_t ret)
{
	return l->ret == ret && location_alike(l->rule, t->rule) && l->host == t->host &&
	       !(t->rule & LOCATION_INDIRECT);
}

/*
 * As hot_like(), for an entry; if true, the twin takes over the location. The first entry of a node
 * since a turn of the main loop ended (TWIN_UNTOUCHED) comes here too. Such an entry is added to
 * the list of touched nodes by the thorough instance only.
 */
HOT bool hot_moves(const struct track *k, struct zprof_node *node, uintptr_t ret,
		   enum effort effort)
{
	const struct location *l = &k->locations[location_slot(ret)];
	struct twin *t = twin_of(node);

	if (!hot_like(t, l, ret))
		return false;
	if (t->ret & TWIN_UNTOUCHED && (effort == QUICK || !touched_add(k->touched, k->base, node)))
		return false;
	t->ret = ret;
	t->rule = l->rule;
	return true;
}

/*
 * Whether the CFA is right for a callee of the top zone. A CFA below the top's is. A CFA equal to
 * the top's is right for a function inlined into the same host. But if the same location is already
 * open in this frame, a jump has left that zone, and the answer is false. (The search for such a
 * zone ends at an interpreter's zone.)
 */
HOT bool hot_fits(const struct open_zone *top, uintptr_t cfa, const struct twin *t)
{
	const struct open_zone *f;

	if (USUAL(cfa < top->cfa))
		return true;
	if (cfa != top->cfa || !(t->rule & LOCATION_INLINED) || twin_of(top->node)->host != t->host)
		return false;
	for (f = top; f->cfa == cfa && !(twin_of(f->node)->rule & LOCATION_LENT); f--)
		if (twin_ret(twin_of(f->node)) == t->ret)
			return false;
	return true;
}

/* The ticks since the last event; negative if the clock went back. */
HOT int64_t hot_elapsed(const struct track *k, const struct event *e, enum timing timing)
{
	if (timing == TIMING_COUNT)
		return 0;
	return (int64_t)(e->ticks - *k->last);
}

/* The child of `parent` for a zone, from the memory `callees`: its reference, or 0. */
HOT uint32_t hot_known(const struct track *k, const struct zprof_node *parent, uint64_t zone)
{
	uint32_t reference = node_reference(k->base, parent);
	const struct callee *known = tree_callee(k->callees, zone, reference);

	return USUAL(known->parent == reference) &&
		       USUAL(node_at(k->base, known->node)->zone == zone)
		   ? known->node
		   : 0;
}

/*
 * The child of `parent` for a zone, from the tree's hash, and stores it in `callees`. 0: the child
 * is new, or lies too far from its place in the hash.
 */
HOT uint32_t hot_find(struct track *k, const struct zprof_node *parent, uint64_t zone)
{
	const struct hash *hash = k->tree->hash;
	uint32_t reference = node_reference(k->base, parent);
	uint64_t h = tree_hash(zone, reference);
	uint32_t i = tree_slot(hash, h), tries;

	for (tries = 0; tries < HASH_TRIES; tries++, i = (i + 1) & hash->mask) {
		uint32_t slot = hash->slots[i], found = slot & SLOT_REFERENCE;
		const struct zprof_node *child = node_at(k->base, found);

		if (tree_slot_may_hold(slot, h) && USUAL(child->zone == zone) &&
		    USUAL(child->parent == reference) &&
		    USUAL(!(ZPROF_NODE_FLAGS(child) & ZPROF_NODE_RETIRED))) {
			*tree_callee(k->callees, zone, reference) =
			    (struct callee){reference, found};
			return found;
		}
	}
	return 0;
}

/* Charges the ticks since the last event to `node`. */
HOT void hot_charge(struct track *k, struct zprof_node *node, int64_t elapsed, uint64_t ticks,
		    enum timing timing)
{
	if (timing == TIMING_COUNT)
		return;
	node->self_ticks += (uint64_t)elapsed;
	charge_made(k, node);
	*k->last = ticks;
}

/* Enters a zone; the track's busy is set. False: the case is unusual, and nothing was changed. */
HOT bool hot_enter(struct track *k, const struct event *e, enum timing timing, enum effort effort)
{
	struct open_zone *top = k->top;
	struct zprof_node *current = top->node, *child;
	struct twin *t;
	int64_t elapsed = hot_elapsed(k, e, timing);
	uint32_t reference;
	uintptr_t cfa;

	reference = hot_known(k, current, e->zone);
	if (effort == THOROUGH && !reference)
		reference = hot_find(k, current, e->zone);
	child = node_at(k->base, reference);
	if (RARE(!reference))
		return false;
	t = twin_of(child);
	if (RARE(t->ret != e->ret) && !hot_moves(k, child, e->ret, effort))
		return false;
	cfa = hot_cfa(t->rule, e);
	if (RARE(!hot_fits(top, cfa, t)) || RARE(top + 1 >= k->limit) || RARE(elapsed < 0))
		return false;

	hot_charge(k, current, elapsed, e->ticks, timing);
	child->calls++;
	top[1].cfa = cfa;
	top[1].node = child;
	cpu_publish();
	k->top = top + 1;
	*k->current = reference;
	return true;
}

/* Charges the current zone and makes the one below it current. */
HOT void hot_leave(struct track *k, int64_t elapsed, const struct event *e, enum timing timing)
{
	struct open_zone *top = k->top;

	hot_charge(k, top->node, elapsed, e->ticks, timing);
	cpu_publish();
	k->top = top - 1;
	*k->current = node_reference(k->base, top[-1].node);
}

/*
 * Leaves the zone on top, if the event is of its function. Three cases are usual: the location of
 * its last exit; an exit hook that was tail-called (the stack frame is gone, so the CFA is the
 * hook's sp); another location with the same rule. False: the case is unusual, and nothing was
 * changed.
 */
HOT bool hot_exit(struct track *k, const struct event *e, enum timing timing)
{
	struct open_zone *top = k->top;
	struct zprof_node *current = top->node;
	const struct twin *t = twin_of(current);
	int64_t elapsed = hot_elapsed(k, e, timing);

	if (current->zone != e->zone)
		return false;
	if (!(t->exit_ret == e->ret && hot_cfa(t->rule, e) == top->cfa) &&
	    !(e->sp == top->cfa && e->ret == e->call_site) &&
	    !(hot_like(t, &k->locations[location_slot(e->ret)], e->ret) &&
	      hot_cfa(t->rule, e) == top->cfa))
		return false;
	if (RARE(elapsed < 0))
		return false;

	hot_leave(k, elapsed, e, timing);
	return true;
}

/* As hot_exit(), for an event that does not say which zone ends; its sp is the CFA (fentry.c). */
HOT bool hot_return(struct track *k, const struct event *e, enum timing timing)
{
	int64_t elapsed = hot_elapsed(k, e, timing);

	if (k->top->cfa != e->sp || k->top[-1].cfa == e->sp || RARE(elapsed < 0))
		return false;
	hot_leave(k, elapsed, e, timing);
	return true;
}

#endif
