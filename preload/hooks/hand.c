/* SPDX-License-Identifier: MIT */
/*
 * hand.c - zones marked by hand (zprof.h): zprof_begin() and zprof_end().
 *
 * The zone stack treats such a zone like a function inlined where the zone is marked: its frame is
 * that of the function around it, found from the location of the call (location.h), and a jump is
 * repaired by the same rules. So the hooks' hot path serves it, at the same cost. If the code has
 * no call frame information, the frame cannot be searched for, because the zone has no return
 * address of its own. Then the stack pointer is taken as the CFA, which is right as long as the
 * function does not move the stack pointer between begin and end.
 *
 * There is no instance for clock=count: the clock is read then, too, but stands still
 * (tick_stop()).
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"
#include "preload/profile/zones.h"
#include "preload/code/location.h"
#include "preload/tree/tree.h"
#include "preload/track/hot.h"
#include "preload/unwind/parts.h"
#include "preload/slow/nested.h"
#include "preload/slow/slow.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void zprof_begin(struct zprof_mark *mark);
EXPORT void zprof_end(struct zprof_mark *mark);

#define APART(e) (e).ticks, mark, (e).sp, (e).ret, (e).bp
#define PARTS    uint64_t ticks, struct zprof_mark *mark, uintptr_t sp, uintptr_t ret, uintptr_t bp

/* ---- begin */

static __attribute__((noinline)) void begin_slowly(PARTS)
{
	struct event e = {ticks, ZPROF_ZONE_OF_ID(zones_of_mark(mark)), 0, sp, ret, bp};

	slow_enter(&track_self, &e);
	hot_end(&track_self, sp);
}

static __attribute__((noinline)) void begin_nested(PARTS)
{
	struct event e = {ticks, ZPROF_ZONE_OF_ID(zones_of_mark(mark)), 0, sp, ret, bp};

	nested_enter(&e);
}

void zprof_begin(struct zprof_mark *mark)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(mark->id), 0, TIMING_EXACT);

	if (RARE(track_self.busy)) {
		begin_nested(APART(e));
		return;
	}
	hot_begin(&track_self, e.sp);
	if (USUAL(hot_at_home(&track_self, e.sp)) && USUAL(!track_self.watch) &&
	    USUAL(hot_enter(&track_self, &e, TIMING_EXACT, THOROUGH)))
		hot_end(&track_self, e.sp);
	else
		begin_slowly(APART(e));
}

/* ---- end */

/* The innermost zone marked by hand, from `f` down, in f's stack frame; 0: none. */
static uintptr_t innermost_in(const struct open_zone *f)
{
	uintptr_t cfa = f->cfa;

	for (; f->cfa == cfa; f--)
		if (ZPROF_ZONE_KIND(f->node->zone) == ZPROF_ZONE_NAMED &&
		    zones_by_hand(ZPROF_ZONE_ID(f->node->zone)))
			return f->node->zone;
	return 0;
}

/* The innermost zone marked by hand of the function that the event comes from; 0: none. */
static uintptr_t innermost(struct track *k, const struct event *e)
{
	struct location where;
	uintptr_t cfa = location_find(k->process, e, e->sp, &where), zone = 0;
	const struct open_zone *f = k->top;

	while (f->cfa < cfa)
		f--;
	if (f->cfa == cfa)
		zone = innermost_in(f);
	if (zone)
		return zone;
	f = parts_frame(k, e, cfa, &where);
	return f ? innermost_in(f) : 0;
}

static void unbalanced(struct process *p, struct zprof_mark *mark)
{
	char line[256];
	struct text t;

	losses_count(p, ZPROF_MISUSE, 1);
	if (__atomic_exchange_n(&mark->id, 1, __ATOMIC_RELAXED))
		return;
	text_init(&t, line, sizeof(line));
	text_add(&t, "a zone was ended by hand that was not begun in that function, at ");
	text_add(&t, mark->file);
	text_char(&t, ':');
	identity_note(p, line, mark->line);
}

static void end(struct track *k, struct event *e, struct zprof_mark *mark)
{
	if (mark->kind == ZPROF_MARK_END) {
		e->zone = innermost(k, e);
		if (!e->zone) {
			if (!slow_losses_explain(k->process))
				unbalanced(k->process, mark);
			return;
		}
	}
	slow_exit(k, e);
}

static __attribute__((noinline)) void end_slowly(PARTS)
{
	struct event e = {ticks, ZPROF_ZONE_OF_ID(mark->id), 0, sp, ret, bp};

	end(&track_self, &e, mark);
	hot_end(&track_self, sp);
}

static __attribute__((noinline)) void end_nested(PARTS)
{
	struct event e = {ticks, ZPROF_ZONE_OF_ID(mark->id), 0, sp, ret, bp};
	struct nested n;

	/* This thread has begun no zone, so an end does not begin a recording. */
	if (track_self.busy == TRACK_UNREADY) {
		if (process_now && *process_now->here && mark->kind == ZPROF_MARK_END)
			unbalanced(process_now, mark);
		return;
	}
	if (!nested_begin(&n, &e))
		return;
	end(n.track, &e, mark);
	nested_end(&n, &e);
}

/*
 * The usual case: the zone on top was left from this location before, so this event ends it. (A
 * mark of kind ZPROF_MARK_END names no zone. There the slow way found the zone the first time.)
 */
HOT bool end_hot(struct track *k, const struct event *e, const struct zprof_mark *mark)
{
	struct open_zone *top = k->top;
	const struct twin *t = twin_of(top->node);
	int64_t elapsed = hot_elapsed(k, e, TIMING_EXACT);

	if (t->exit_ret != e->ret || location_cfa(t->rule, e->sp, e->bp) != top->cfa)
		return false;
	if (RARE(mark->kind != ZPROF_MARK_END && top->node->zone != e->zone) || RARE(elapsed < 0))
		return false;
	hot_leave(k, elapsed, e, TIMING_EXACT);
	return true;
}

void zprof_end(struct zprof_mark *mark)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(mark->id), 0, TIMING_EXACT);

	if (RARE(track_self.busy)) {
		end_nested(APART(e));
		return;
	}
	hot_begin(&track_self, e.sp);
	if (USUAL(hot_at_home(&track_self, e.sp)) && USUAL(!track_self.watch) &&
	    USUAL(end_hot(&track_self, &e, mark)))
		hot_end(&track_self, e.sp);
	else
		end_slowly(APART(e));
}
