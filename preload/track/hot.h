/* SPDX-License-Identifier: MIT */
/*
 * hot.h - the two functions that run at every call and every return of the user's program.
 *
 * What is here costs about what reading the clock costs: the reading comes first and takes 10 to 25
 * ns, and the loads and compares below need nothing of it until the charge, so the processor runs
 * them in its shadow. Nothing here calls, locks or allocates. In any unusual case the answer is
 * false, before anything has been changed, and slow_enter() or slow_exit() (slow.h) starts over,
 * without haste.
 *
 * There is an instance for each way of timing (enum timing), chosen once at start (hooks.h), so
 * that none pays for another. What an instance leaves out is left out by the compiler: timing is a
 * constant to it.
 *
 * Included by the files that instantiate it: hooks.c and fentry.c for users' calls, through
 * front.h; calibrate.c to measure it; hand.c and lent/ for zones that are no functions. tick_read()
 * comes from tick_tsc.h or tick_fake.h, included by the Makefile.
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
	TIMING_COUNT, /* it is not read at all */
};

/* How many of the usual cases are tried. */
enum effort {
	QUICK,   /* those of most events, in few registers */
	THOROUGH /* all of them */
};

/* Of the places in the hash where a child may be. */
#define HASH_TRIES 8

/* The clock, for an instance; 0 where it is not read. */
HOT uint64_t hot_clock(enum timing timing)
{
	return timing == TIMING_EXACT ? tick_read() : 0;
}

/*
 * The event of the function that this is inlined into, which the program has called. The clock is
 * read first.
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

/* One that nothing is charged for; to a fake clock it is no reading. */
HOT struct event hot_quiet_event(uintptr_t zone)
{
	struct event e = hot_event(zone, 0, TIMING_COUNT);

	e.ticks = tick_now();
	return e;
}

/* The CFA of an event, by its location's rule. (Tests make up rbp.) */
#ifndef HOT_BP
#define HOT_BP(event) cpu_frame_pointer()
#endif

HOT uintptr_t hot_cfa(uint32_t rule, const struct event *e)
{
	return location_cfa(rule, e->sp, HOT_BP(e));
}

/* A signal handler sees busy set before, and until after, everything between. */
HOT void hot_begin(struct track *k, uintptr_t sp)
{
	k->busy = sp;
	cpu_barrier();
}

/* One instruction clears busy and tells whether a handler left its mark: nothing can come between.
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
 * Not a forked child, on the stack we know, and nothing has been seen from outside. (A child does
 * not have the memory in which that is written, so it must not look.)
 */
HOT bool hot_at_home(const struct track *k, uintptr_t sp)
{
	return USUAL(*k->alive == PROCESS_ALIVE) &&
	       USUAL((sp - k->stack_low < k->stack_bytes) & (*k->news == k->known));
}

/*
 * The event comes from another location than last time, where the CFA is known to be found in the
 * same way: a function inlined twice into its caller, or into itself, or with two ways out.
 */
HOT bool hot_like(const struct twin *t, const struct location *l, uintptr_t ret)
{
	return l->ret == ret && location_alike(l->rule, t->rule) && l->host == t->host &&
	       !(t->rule & LOCATION_INDIRECT);
}

/*
 * The same, and the twin takes it over. A node's first entry since a frame ended comes here too,
 * and is noted on the thorough way.
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
 * A frame below the top's is a callee's. An equal one is right for a function inlined into the same
 * host, unless the same place is open in this frame already: then a jump has left it. (Where an
 * interpreter's zones lie between, it is not looked for.)
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

/* What passed since the last event; "negative" if the clock went back. */
HOT int64_t hot_elapsed(const struct track *k, const struct event *e, enum timing timing)
{
	if (timing == TIMING_COUNT)
		return 0;
	return (int64_t)(e->ticks - *k->last);
}

/* The remembered child of `parent` for a zone: its reference, or 0. */
HOT uint32_t hot_known(const struct track *k, const struct zprof_node *parent, uint64_t zone)
{
	uint32_t reference = node_reference(k->base, parent);
	const struct callee *known = tree_callee(k->callees, zone, reference);

	return USUAL(known->parent == reference) &&
		       USUAL(node_at(k->base, known->node)->zone == zone)
		   ? known->node
		   : 0;
}

/* The same from the hash, unless it is new or far from its place there; and it is remembered. */
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

/* What passed is `node`'s. */
HOT void hot_charge(struct track *k, struct zprof_node *node, int64_t elapsed, uint64_t ticks,
		    enum timing timing)
{
	if (timing == TIMING_COUNT)
		return;
	node->self_ticks += (uint64_t)elapsed;
	charge_made(k, node);
	*k->last = ticks;
}

/* The track's busy is set. False: nothing has been done. */
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
	cpu_barrier();
	k->top = top + 1;
	*k->current = reference;
	return true;
}

/* Charges the current zone and makes the one below it current. */
HOT void hot_leave(struct track *k, int64_t elapsed, const struct event *e, enum timing timing)
{
	struct open_zone *top = k->top;

	hot_charge(k, top->node, elapsed, e->ticks, timing);
	cpu_barrier();
	k->top = top - 1;
	*k->current = node_reference(k->base, top[-1].node);
}

/*
 * A tail-called exit hook finds the frame gone already: its sp is the CFA. Otherwise the location
 * tells.
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

/* The same for an event of any zone that tells the CFA by its sp (fentry.c). */
HOT bool hot_return(struct track *k, const struct event *e, enum timing timing)
{
	int64_t elapsed = hot_elapsed(k, e, timing);

	if (k->top->cfa != e->sp || k->top[-1].cfa == e->sp || RARE(elapsed < 0))
		return false;
	hot_leave(k, elapsed, e, timing);
	return true;
}

#endif
