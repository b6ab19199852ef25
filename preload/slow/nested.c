/* SPDX-License-Identifier: MIT */
/* nested.c - see nested.h, and track.h on hooks that are interrupted. */
#include "preload/slow/nested.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/track/charge.h"
#include "preload/track/levels.h"
#include "preload/track/lineage.h"
#include "preload/stacks/stack.h"
#include "preload/entries/entries.h"
#include "preload/threads/recover.h"
#include "preload/threads/threads.h"
#include "preload/slow/slow.h"

static void begin_hook(struct track *k, uintptr_t sp)
{
	k->busy = sp;
	cpu_barrier();
}

static void end_hook(struct track *k, uintptr_t sp)
{
	if (cpu_subtract_and_test(&k->busy, sp))
		charge_settle(k, sp);
}

/*
 * Whether the hook in progress is of another thread that uses this thread's storage: the hook's sp
 * is on another stack than the track's, and this event's is not. Such a hook changes nothing
 * (lineage_is_anothers()), so its busy may be cleared.
 */
static bool is_intruders(const struct track *k, const struct event *e)
{
	return k->process->header->counters[ZPROF_LOSS_SHARED] && !charge_unsettled(k) &&
	       e->sp - k->stack_low < k->stack_bytes && k->busy - k->stack_low >= k->stack_bytes;
}

/*
 * The track of the lowest level without a hook in progress. NULL: the event cannot be recorded.
 *
 * Where level 0 was free at the one look that decides, or was an intruder's, the answer is level 0: a
 * thread that shares this storage may begin a hook right after that look, and neither of the two may
 * then go to level 1 unasked.
 */
static struct track *free_level(const struct event *e)
{
	struct track *k = &track_self, *below;
	uint32_t level;

	if (k->busy == TRACK_UNREADY && (process_off || k->refused || !threads_begin(e)))
		return NULL;
	if (k->busy && !*k->process->here) {
		file_detach(k->process->file);
		if (!recover_is_dead(k, e))
			return NULL;
		k->busy = 0;
	}
	if (!*(volatile uintptr_t *)&k->busy)
		return k;
	if (lineage_is_anothers(k->lineage))
		return NULL;
	if (is_intruders(k, e)) {
		k->busy = 0;
		return k;
	}
	for (level = 0;; level++) {
		if (charge_unsettled(k))
			charge_settle(k, e->sp);
		if (!k->busy || recover_abandoned(k, e))
			return k;
		below = k;
		k = levels_get(k->lineage, level + 1);
		if (!k) {
			losses_count(below->process, ZPROF_LOSS_NESTING, 1);
			return NULL;
		}
	}
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) > 0 ? a : b;
}

/*
 * Puts the bottom of a level above 0 on the node that is current one level below. This must come
 * before busy is set: from then on, a handler's level may stand on this one.
 */
static void stand_on_below(struct track *k, const struct event *e)
{
	const struct track *below;

	if (k->level && k->process->entries_alone)
		entries_settle_level(k, e);
	if (!k->level || k->top != k->bottom)
		return;
	below = levels_below(k);
	k->bottom->node =
	    k->process->entries_alone ? entries_interrupted(below, e) : below->top->node;
}

/*
 * Begins a level with the first zone of a handler, at the latest of three clock readings: the
 * event's; this level's last one, because another handler may have used this level after the
 * event's reading; and the last one of the level below. If the event's reading is before that one,
 * the clock has gone back, as charge_event() will find. To begin there would charge the step back
 * to the handler at the first right reading.
 */
static void begin_level(struct track *k, const struct event *e)
{
	const struct track *below = levels_below(k);
	uint64_t from = later(e->ticks, later(*k->last, *below->last));

	k->origin += from - *k->last;
	*k->last = from;
	k->since = from;
	stack_of_level(k, below, e->sp);
}

/*
 * Called when the handler's first zone has been left: takes the handler's ticks off the zone that
 * the interrupted hook makes current.
 */
static void give_back(struct track *k)
{
	uint64_t took = *k->last - k->since;

	*k->current = 0;
	k->since = *k->last;
	charge_rob(levels_below(k), took);
}

bool nested_begin(struct nested *n, const struct event *e)
{
	n->track = free_level(e);
	if (!n->track)
		return false;
	stand_on_below(n->track, e);
	begin_hook(n->track, e->sp);
	n->was_open = n->track->top != n->track->bottom;
	if (n->track->level && !n->was_open)
		begin_level(n->track, e);
	return true;
}

void nested_end(const struct nested *n, const struct event *e)
{
	struct track *k = n->track;

	if (k->level && n->was_open && k->top == k->bottom)
		give_back(k);
	end_hook(k, e->sp);
}

void nested_enter(const struct event *e)
{
	struct nested n;

	if (!nested_begin(&n, e))
		return;
	slow_enter(n.track, e);
	nested_end(&n, e);
}

void nested_exit(const struct event *e)
{
	struct nested n;

	if (!nested_begin(&n, e))
		return;
	slow_exit(n.track, e);
	nested_end(&n, e);
}
