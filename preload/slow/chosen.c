/* SPDX-License-Identifier: MIT */
/* chosen.c - see chosen.h. */
#include "preload/slow/chosen.h"

#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/code/only.h"
#include "preload/recording/pause.h"
#include "preload/sample/notes.h"
#include "preload/frames/frames.h"
#include "preload/track/charge.h"
#include "preload/track/lent.h"
#include "preload/track/open.h"
#include "preload/calls/watch.h"

static bool is_left_out(const struct track *k, const struct zprof_node *node)
{
	return node->parent && only_has_left_out(k->process, node->zone);
}

/* ---- the time until the choice */

static void charge_until_then(struct track *k, const struct event *e)
{
	const struct only *only = k->process->only;
	uint64_t ticks = only->ticks;

	if (!is_left_out(k, k->top->node) || pause_in_force(k->process))
		return;
	if ((int64_t)(ticks - *k->last) > 0 && (int64_t)(e->ticks - ticks) > 0)
		charge_event(k, &(struct event){.ticks = ticks});
	if (k->level == 0)
		notes_split(k->notes, k->top->node, only->ns);
}

/* ---- the tree */

static void forget_way(void *track, struct zprof_node *node)
{
	if (!is_left_out(track, node))
		return;
	twin_of(node)->ret = 0;
	twin_of(node)->rule |= LOCATION_INDIRECT;
}

/* ---- the zone stack */

/* Whether `f` is to be taken off: its zone is left out, and it is no barrier or placeholder. */
static bool goes(const struct track *k, const struct open_zone *f, const struct zprof_node *below)
{
	return f->cfa != UINTPTR_MAX && f->node != below && is_left_out(k, f->node);
}

static struct open_zone *first_to_go(const struct track *k)
{
	struct open_zone *f;

	for (f = k->bottom + 1; f <= k->top; f++)
		if (goes(k, f, f[-1].node))
			return f;
	return NULL;
}

static void push(struct track *k, uintptr_t cfa, struct zprof_node *node)
{
	k->top[1] = (struct open_zone){cfa, node};
	cpu_publish();
	k->top++;
	*k->current = node_reference(k->base, node);
}

/*
 * Where the zones are that barriers stand for: as a rule right below the barrier, and further down
 * where functions end without a hook (entries.c). By number of the barrier, a place on the zone stack.
 */
struct interrupted {
	size_t depth[TRACK_BARRIERS];
};

static struct interrupted find_interrupted(const struct track *k)
{
	struct interrupted in;
	const struct open_zone *barrier;
	uint32_t i;

	for (i = 0; i < k->barriers; i++) {
		barrier = k->bottom + k->barrier[i].depth + 1;
		in.depth[i] = k->barrier[i].depth;
		while (in.depth[i] && k->bottom[in.depth[i]].node != barrier->node)
			in.depth[i]--;
	}
	return in;
}

/*
 * The zone at `depth` is now the top, or is gone, and the top is the zone that it was called by. (Zones
 * come here from the bottom up and only move down, so no place of before is taken for one of now.)
 */
static void follow_interrupted(const struct track *k, struct interrupted *in, size_t depth)
{
	uint32_t i;

	for (i = 0; i < k->barriers; i++)
		if (in->depth[i] == depth)
			in->depth[i] = (size_t)(k->top - k->bottom);
}

static void move_barrier(struct track *k, size_t depth, const struct interrupted *in)
{
	uint32_t i;

	for (i = 0; i < k->barriers && k->barrier[i].depth != depth; i++)
		;
	k->barrier[i].depth = (size_t)(k->top - k->bottom);
	push(k, UINTPTR_MAX, k->bottom[in->depth[i]].node);
}

static void move_lent(struct track *k, struct zprof_node *node, uint64_t serial)
{
	bool slow = false;
	struct zprof_node *child = tree_child(k->process, k->tree, k->top->node, node->zone, &slow);

	lent_abandon_node(node);
	lent_push_node(k, child ? child : k->top->node, LENT_AGAIN, serial);
}

static void move_native(struct track *k, const struct open_zone *f)
{
	struct zprof_node *node = open_continue(k, k->top->node, f->node);

	if (!node)
		return;
	if (k->frames)
		frames_touch(k->frames, node);
	push(k, f->cfa, node);
}

/*
 * Moves frame number `depth` down to the top of the zone stack that is being rebuilt. `below`: the
 * node of the frame that was below it before.
 */
static void move(struct track *k, size_t depth, struct zprof_node *below,
		 const struct interrupted *in)
{
	struct open_zone f = k->bottom[depth];
	uint64_t serial = k->lent && depth < k->lent->room ? k->lent->serials[depth] : 0;

	if (f.cfa == UINTPTR_MAX)
		move_barrier(k, depth - 1, in);
	else if (f.node == below)
		lent_push_node(k, k->top->node, LENT_TAKEN_UP, serial);
	else if (lent_is(f.node))
		move_lent(k, f.node, serial);
	else
		move_native(k, &f);
}

static void take_off(struct track *k, struct open_zone *first)
{
	size_t depth = (size_t)(first - k->bottom), end = (size_t)(k->top - k->bottom);
	struct zprof_node *below = first[-1].node, *node;
	struct interrupted in = find_interrupted(k);

	if (k->lent)
		lent_count(k->lent);
	k->top = first - 1;
	*k->current = node_reference(k->base, k->top->node);
	for (; depth <= end; depth++, below = node) {
		node = k->bottom[depth].node;
		if (goes(k, &k->bottom[depth], below)) {
			losses_count(k->process, ZPROF_UNWATCHED_OPEN, 1);
			if (k->watch)
				watch_moved(k, depth, 0);
			follow_interrupted(k, &in, depth);
			continue;
		}
		move(k, depth, below, &in);
		follow_interrupted(k, &in, depth);
		if (k->watch)
			watch_moved(k, depth, (size_t)(k->top - k->bottom));
	}
	lent_look_again(k);
}

bool chosen_missed(const struct track *k)
{
	return only_epoch(k->process->only) - k->chosen > 1;
}

void chosen_look(struct track *k, const struct event *e)
{
	uint32_t epoch = only_epoch(k->process->only);
	struct open_zone *first;

	if (k->chosen == epoch)
		return;
	if (chosen_missed(k) &&
	    (pause_in_force(k->process) || e->sp - k->stack_low >= k->stack_bytes))
		return; /* open zones could not be compared with the real stack yet */
	charge_until_then(k, e);
	k->chosen = epoch;
	if (k->level == 0)
		tree_visit(k->process, k->tree, forget_way, k);
	first = first_to_go(k);
	if (first)
		take_off(k, first);
}
