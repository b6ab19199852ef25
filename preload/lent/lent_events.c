/* SPDX-License-Identifier: MIT */
/*
 * lent_events.c - enters, leaves and replaces an interpreter's zones (zprof.h, track/lent.h).
 *
 * These events are as frequent as the hooks, and built in the same way (hot.h): the clock is
 * read, then the usual case is handled in place. In any other case the `_hot` function returns
 * false before anything has changed, and the slow way starts over.
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/profile/zones.h"
#include "preload/code/location.h"
#include "preload/tree/tree.h"
#include "preload/frames/frames.h"
#include "preload/track/charge.h"
#include "preload/track/hot.h"
#include "preload/calls/callsites.h"
#include "preload/calls/watch.h"
#include "preload/slow/arrive.h"
#include "preload/slow/nested.h"
#include "preload/lent/lent_arrive.h"

#define EXPORT __attribute__((visibility("default")))
#define SLOW   static __attribute__((noinline))

EXPORT void zprof_lent_enter(uint32_t zone);
EXPORT void zprof_lent_enter_at(uint32_t zone, uint32_t line, uint32_t column);
EXPORT void zprof_lent_reenter(uint32_t zone);
EXPORT void zprof_lent_leave(void);
EXPORT void zprof_lent_replace(uint32_t zone, int how);
EXPORT size_t zprof_lent_depth(void);
EXPORT void zprof_lent_unwind(size_t depth);
EXPORT uint32_t zprof_lent(const char *name, const char *group, const char *file, uint32_t line);
EXPORT uint32_t zprof_lent_late(void (*describe)(void *context, struct zprof_function *function),
				void *context);
EXPORT void zprof_lent_missed(int what, uint64_t count);
EXPORT void zprof_lent_runner(const void *function);
EXPORT bool zprof_lent_counter(const char *name, const uint64_t *variable);

/* ---- zones */

uint32_t zprof_lent(const char *name, const char *group, const char *file, uint32_t line)
{
	struct zprof_function function = {name, group, file, line};

	return zones_lend(&function);
}

uint32_t zprof_lent_late(void (*describe)(void *context, struct zprof_function *function),
			 void *context)
{
	return zones_lend_late(describe, context);
}

void lent_ask_for_name(uint32_t id, const struct event *e)
{
	struct nested n;

	if (!zones_late(id))
		return;
	zones_describe(id);
	if (!nested_begin(&n, e))
		return;
	if (n.track->level == 0)
		charge_own(n.track);
	nested_end(&n, e);
}

/* ---- the usual case */

/*
 * Whether the event comes from the operation's remembered location, and no jump has left the frame
 * on top. (Where functions end without a hook, zones on top may have ended.)
 */
HOT bool arrives(const struct track *k, const struct event *e, enum lent_operation op)
{
	const struct lent_place *place = k->lent ? &k->lent->place[op] : NULL;

	return USUAL(place != NULL) && USUAL(place->ret == e->ret) &&
	       USUAL(!k->process->entries_alone) &&
	       USUAL(location_cfa(place->rule, e->sp, e->bp) <= k->top->cfa);
}

/*
 * The child of `parent` for the event's zone. NULL: there is no such child, or it is not lent yet.
 */
HOT struct zprof_node *usual_child(struct track *k, const struct zprof_node *parent,
				   const struct event *e)
{
	uint32_t reference = hot_known(k, parent, e->zone);
	struct zprof_node *child;

	if (RARE(!reference))
		reference = hot_find(k, parent, e->zone);
	child = node_at(k->base, reference);
	return USUAL(reference) && twin_of(child)->rule == LOCATION_LENT ? child : NULL;
}

/*
 * Puts `child`, a child of the node of `below`, on the zone stack above `below`. `way`: called, or
 * entered again.
 */
HOT void stand(struct track *k, struct open_zone *below, struct zprof_node *child,
	       enum lent_way way)
{
	struct lent *l = k->lent;
	struct twin *t = twin_of(child), *under = twin_of(below->node);

	t->host = under->host;
	if (RARE(k->touched && !(t->tally & TWIN_TOUCHED)))
		frames_touch(k->frames, child);
	if (way == LENT_CALLED)
		child->calls++;
	else
		((struct zprof_extra *)t->exit_ret)->reentered++;
	l->serials[below + 1 - k->bottom] = ++l->serial;
	l->current = (struct zprof_extra *)t->exit_ret;
	below[1].cfa = lent_cfa(below);
	below[1].node = child;
	cpu_publish();
	k->top = below + 1;
	*k->current = node_reference(k->base, child);
}

HOT bool stand_hot(struct track *k, const struct event *e, enum lent_operation op,
		   enum lent_way way)
{
	struct open_zone *top = k->top;
	int64_t elapsed = hot_elapsed(k, e, TIMING_EXACT);
	struct zprof_node *child;

	if (!arrives(k, e, op) || !(child = usual_child(k, top->node, e)))
		return false;
	if (RARE(top + 1 >= k->limit) || RARE((size_t)(top + 1 - k->bottom) >= k->lent->room) ||
	    RARE(elapsed < 0))
		return false;
	hot_charge(k, top->node, elapsed, e->ticks, TIMING_EXACT);
	lent_count(k->lent);
	stand(k, top, child, way);
	return true;
}

HOT bool enter_hot(struct track *k, const struct event *e)
{
	return stand_hot(k, e, LENT_ENTER, LENT_CALLED);
}

HOT bool reenter_hot(struct track *k, const struct event *e)
{
	return stand_hot(k, e, LENT_REENTER, LENT_AGAIN);
}

/* Whether the top is a lent zone with a node of its own, not a placeholder. */
HOT bool runs(const struct track *k)
{
	return lent_is(k->top->node) && k->top[-1].node != k->top->node;
}

HOT bool leave_hot(struct track *k, const struct event *e)
{
	struct zprof_node *node = k->top->node;
	int64_t elapsed = hot_elapsed(k, e, TIMING_EXACT);

	if (!runs(k) || !arrives(k, e, LENT_LEAVE) || RARE(elapsed < 0))
		return false;
	lent_count(k->lent);
	lent_extra(node)->returned++;
	k->lent->current = (struct zprof_extra *)twin_of(node)->ret;
	hot_leave(k, elapsed, e, TIMING_EXACT);
	return true;
}

HOT bool replace_hot(struct track *k, const struct event *e)
{
	struct open_zone *top = k->top;
	int64_t elapsed = hot_elapsed(k, e, TIMING_EXACT);
	struct zprof_node *child;

	if (!runs(k) || !arrives(k, e, LENT_REPLACE) ||
	    !(child = usual_child(k, top[-1].node, e)) || RARE(elapsed < 0))
		return false;
	hot_charge(k, top->node, elapsed, e->ticks, TIMING_EXACT);
	lent_count(k->lent);
	lent_extra(top->node)->returned++;
	stand(k, top - 1, child, LENT_CALLED);
	return true;
}

/* ---- the unusual cases */

#define PARTS    uint64_t ticks, uintptr_t zone, uintptr_t sp, uintptr_t ret, uintptr_t bp
#define APART(e) (e).ticks, (e).zone, (e).sp, (e).ret, (e).bp

/* After an entry: begins the call of the zone at its place, if call sites are kept. */
static void keep_site(struct track *k, const struct event *e, uint32_t site)
{
	if (!k->callsites)
		return;
	if (k->top->node->zone == e->zone && !lent_placeholder(k->top))
		callsites_lent(k, e, site);
	else
		callsites_left(k, e);
}

/* Begins a watched call, if the zone on top is watched. */
static void watch_call(struct track *k, const struct event *e)
{
	if (k->watch && !lent_placeholder(k->top) && watch_is_met(k))
		watch_entered(k, e);
}

static void watch_gone(struct track *k, const struct event *e)
{
	if (k->watch)
		watch_left(k, e);
}

/* Asks for a zone's name before the zone is entered, if its name decides whether it is watched. */
static void ask_before(uint32_t id, const struct event *e)
{
	if (!track_self.busy && track_self.watch)
		lent_ask_for_name(id, e);
}

SLOW void enter_slowly(PARTS, uint32_t site)
{
	struct event e = {ticks, zone, 0, sp, ret, bp};
	struct nested n;
	bool first = false, slow = false;

	ask_before(ZPROF_ZONE_ID(zone), &e);
	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_ENTER, NULL)) {
		watch_gone(n.track, &e);
		first = lent_push(n.track, zone, site, LENT_CALLED, 0, &slow);
		if (slow)
			charge_own(n.track);
		watch_call(n.track, &e);
	}
	keep_site(n.track, &e, site);
	nested_end(&n, &e);
	if (first)
		lent_ask_for_name(ZPROF_ZONE_ID(zone), &e);
}

/*
 * As nested_begin(), for an event that leaves zones. In a thread without earlier events no zone can
 * be open: the call counts as a misuse, and does not begin a recording.
 */
static bool begin(struct nested *n, const struct event *e)
{
	if (track_self.busy != TRACK_UNREADY)
		return nested_begin(n, e);
	if (process_now && *process_now->here)
		lent_misuse(process_now);
	return false;
}

SLOW void reenter_slowly(PARTS)
{
	struct event e = {ticks, zone, 0, sp, ret, bp};
	struct nested n;
	bool first = false, slow = false;

	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_REENTER, NULL)) {
		watch_gone(n.track, &e);
		first = lent_push(n.track, zone, 0, LENT_AGAIN, 0, &slow);
		if (slow)
			charge_own(n.track);
	}
	if (n.track->callsites)
		callsites_left(n.track, &e);
	nested_end(&n, &e);
	if (first)
		lent_ask_for_name(ZPROF_ZONE_ID(zone), &e);
}

SLOW void leave_slowly(PARTS)
{
	struct event e = {ticks, zone, 0, sp, ret, bp};
	struct nested n;

	if (!begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_LEAVE, NULL) && !lent_return(n.track))
		lent_misuse(n.track->process);
	watch_gone(n.track, &e);
	if (n.track->callsites)
		callsites_left(n.track, &e);
	nested_end(&n, &e);
}

SLOW void replace_slowly(PARTS)
{
	struct event e = {ticks, zone, 0, sp, ret, bp};
	struct nested n;
	bool first = false, slow = false;

	ask_before(ZPROF_ZONE_ID(zone), &e);
	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_REPLACE, NULL)) {
		if (!lent_return(n.track))
			lent_misuse(n.track->process);
		watch_gone(n.track, &e);
		first = lent_push(n.track, zone, 0, LENT_CALLED, 0, &slow);
		if (slow)
			charge_own(n.track);
		watch_call(n.track, &e);
		keep_site(n.track, &e, 0);
	}
	nested_end(&n, &e);
	if (first)
		lent_ask_for_name(ZPROF_ZONE_ID(zone), &e);
}

/* ---- the functions that programs call */

#define TRY(hot, slowly)                                                                           \
	do {                                                                                       \
		if (USUAL(!track_self.busy)) {                                                     \
			bool done;                                                                 \
                                                                                                   \
			hot_begin(&track_self, e.sp);                                              \
			done =                                                                     \
			    USUAL(hot_at_home(&track_self, e.sp)) && USUAL(hot(&track_self, &e));  \
			hot_end(&track_self, e.sp);                                                \
			if (USUAL(done))                                                           \
				return;                                                            \
		}                                                                                  \
		slowly;                                                                            \
	} while (0)

void zprof_lent_enter(uint32_t zone)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(zone), 0, TIMING_EXACT);

	TRY(enter_hot, enter_slowly(APART(e), 0));
}

static uint32_t packed(uint32_t line, uint32_t column)
{
	return (line < 1u << 20 ? line << 12 : 0) | (column < 1u << 12 ? column : 0);
}

void zprof_lent_enter_at(uint32_t zone, uint32_t line, uint32_t column)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(zone), 0, TIMING_EXACT);

	TRY(enter_hot, enter_slowly(APART(e), packed(line, column)));
}

void zprof_lent_reenter(uint32_t zone)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(zone), 0, TIMING_EXACT);

	TRY(reenter_hot, reenter_slowly(APART(e)));
}

void zprof_lent_leave(void)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN), 0, TIMING_EXACT);

	TRY(leave_hot, leave_slowly(APART(e)));
}

/* For ZPROF_CONTINUE the zone on top goes on: only checks that it is a lent zone. */
static void go_on(void)
{
	const struct track *k = &track_self;

	if (k->busy == TRACK_UNREADY) {
		if (process_now && *process_now->here)
			lent_misuse(process_now);
	} else if (!k->busy && !lent_is(k->top->node) &&
		   !(k->top > k->bottom && lent_placeholder(k->top))) {
		lent_misuse(k->process);
	}
}

static __attribute__((always_inline)) inline void replace(struct event e)
{
	TRY(replace_hot, replace_slowly(APART(e)));
}

void zprof_lent_replace(uint32_t zone, int how)
{
	if (how == ZPROF_CONTINUE) {
		go_on();
	} else {
		struct event e = hot_event(ZPROF_ZONE_OF_ID(zone), 0, TIMING_EXACT);

		replace(e);
	}
}

/* ---- depth */

size_t zprof_lent_depth(void)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	size_t depth = 0;

	if (track_self.busy == TRACK_UNREADY || !nested_begin(&n, &e))
		return 0;
	if (arrive(n.track, &e))
		depth = (size_t)(lent_innermost(n.track, &e, lent_locate(n.track, &e, LENT_OTHER)) -
				 n.track->bottom);
	nested_end(&n, &e);
	return depth;
}

/*
 * Whether a native zone is still running: its stack frame is higher than that of the function which
 * the event comes from, or is the same. A barrier counts as running.
 */
static bool lives(const struct open_zone *f, uintptr_t cfa)
{
	if (f->cfa == UINTPTR_MAX)
		return true;
	if (lent_is(f->node) || lent_placeholder(f))
		return false;
	return f->cfa > cfa || (f->cfa == cfa && !(twin_of(f->node)->rule & LOCATION_INLINED));
}

static void unwind(struct track *k, size_t depth, uintptr_t cfa)
{
	struct open_zone *to = k->bottom + depth, *f;
	uint64_t natives = 0;

	if (depth > (size_t)(k->top - k->bottom)) {
		lent_misuse(k->process);
		return;
	}
	for (f = k->top; f > to; f--) {
		if (lives(f, cfa)) {
			lent_misuse(k->process);
			return;
		}
		natives += !lent_is(f->node) && !lent_placeholder(f);
	}
	if (natives)
		losses_count(k->process, ZPROF_REPAIR_JUMP, natives);
	lent_abandon(k, to);
	k->top = to;
	*k->current = node_reference(k->base, to->node);
}

void zprof_lent_unwind(size_t depth)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN), 0, TIMING_EXACT);
	struct nested n;
	uintptr_t cfa;

	if (!begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_OTHER, &cfa))
		unwind(n.track, depth, cfa);
	nested_end(&n, &e);
}

/* ---- counters */

bool zprof_lent_counter(const char *name, const uint64_t *variable)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	bool taken = false;

	if (!nested_begin(&n, &e))
		return false;
	if (arrive(n.track, &e))
		taken = lent_counter(n.track, name, variable);
	nested_end(&n, &e);
	return taken;
}

/* ---- where an interpreter's functions run */

void zprof_lent_runner(const void *function)
{
	struct process *p = process_begin(NULL);

	if (p && function)
		lent_set_runner(p, (uintptr_t)__builtin_return_address(0), (uintptr_t)function);
}

/* ---- what the interpreter could not report */

void zprof_lent_missed(int what, uint64_t count)
{
	struct process *p = process_begin(NULL);

	if (!p || !*p->here)
		return;
	if (what < ZPROF_MISSED_BEGINNING || what > ZPROF_MISSED_INTERPRETER)
		lent_misuse(p);
	else
		losses_count(p, ZPROF_LOSS_LENT_BEGINNING + (enum zprof_counter)what, count);
}
