/* SPDX-License-Identifier: MIT */
/* parked.c - see parked.h. */
#include "preload/stacks/parked.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/code/location.h"
#include "preload/sites/sites.h"
#include "preload/tree/tree.h"
#include "preload/track/lent.h"
#include "preload/track/lineage.h"
#include "preload/track/open.h"

/* Whether frame `i` is a placeholder: of a lent zone without a node of its own (lent.h). */
static bool is_placeholder(const struct stack *s, uint32_t i)
{
	return i ? s->frames[i].node == s->frames[i - 1].node : !s->frames[i].node->parent;
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

void parked_put(struct stack *s, const struct track *k)
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
 * The innermost frame with the node that is current by the profile. If it is not found, the frame
 * below a barrier: the other thread has left its signal stack. Else the bottom.
 *
 * In a folded recursion several frames have that node, and behind the top there are frames of the
 * past. If functions end without a hook, all of these count as open: zones that have ended are the
 * usual case there, and the next entry takes them off (entries.h). Else the outermost is taken, which
 * leaves out the rest of a folded recursion, but takes no frame of the past for an open one.
 */
static struct open_zone *top_of(const struct track *k, const struct zprof_node *node)
{
	bool alone = k->process->entries_alone;
	struct open_zone *f = k->bottom, *top = NULL;

	for (;; f++) {
		if (f->node == node)
			top = f;
		if (top && !alone)
			return top;
		if (f + 1 >= k->limit || !f[1].node)
			return top ? top : k->bottom;
		if (f[1].cfa == UINTPTR_MAX)
			return top ? top : f;
		if (top && f[1].cfa > f->cfa)
			return top;
	}
}

/*
 * The other thread's track may be gone with its thread-local storage, but its frames are not freed.
 * Zones above a barrier are not put aside.
 *
 * If bounds are wrong (two stacks in one mapping, which the program did not announce), the other
 * thread may still run there, and change its frames as they are read here. So this function relies
 * on nothing but that they are frames. If the current node is not found, nothing is put aside.
 */
uint32_t parked_put_of(struct stack *s, const struct lineage *l)
{
	struct track k = l->saved;
	uint32_t current = l->record->current[0];
	const struct zprof_node *node = node_at(k.base, current);

	lineage_look_at_frames(l, &k);
	k.top = top_of(&k, node);
	for (; node != k.top->node && node->parent; node = node_at(k.base, node->parent))
		losses_count(k.process, ZPROF_REPAIR_JUMP, 1);
	parked_put(s, &k);
	return current;
}

void parked_drop(struct process *p, struct stack *s)
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

void parked_outlives(struct lineage *l)
{
	struct stack *s = l->on;

	if (!s || s == l->home || s->running != l || !stacks_lock(s))
		return;
	if (s->running == l) {
		parked_put_of(s, l);
		s->running = NULL;
		l->record->current[0] = l->record->root;
	}
	stacks_unlock(s);
}

/*
 * No thread runs on the stack, but `running` may still name the last one that did, if it has had no
 * event since. (Without the lock, the zones put aside may not be read, only counted.)
 */
void parked_forget(struct process *p, struct stack *s)
{
	struct lineage *last = s->running;

	if (last && last != track_self.lineage && lineage_has_ended(last))
		parked_outlives(last);
	if (s->around && s->around->serial == s->around_serial)
		s->around->arrays--;
	if (!stacks_lock(s)) {
		losses_count(p, ZPROF_REPAIR_JUMP, s->count);
		stacks_remove(p, s);
		return;
	}
	parked_drop(p, s);
	stacks_remove(p, s);
	stacks_unlock(s);
}

/* Gives the node's twin the values that were put aside with the zone. */
static void restore_twin(struct zprof_node *node, const struct parked *from)
{
	if (from->rule != LOCATION_LENT)
		twin_place(twin_of(node), from->ret, from->rule, from->host);
}

/* Takes up frame `i`. False: there is no room, so the frames above must be left out too. */
static bool take_up_frame(struct track *k, const struct stack *s, uint32_t i)
{
	const struct parked *from = &s->frames[i];
	struct zprof_node *node = k->top->node;

	if (k->top + 1 >= k->limit && !track_more_frames(k))
		return false;
	if (from->cfa != UINTPTR_MAX && !is_placeholder(s, i)) {
		if (s->owner == k->lineage) {
			node = from->node;
		} else {
			lent_abandon_node(from->node);
			node = open_continue(k, node, from->node);
		}
		if (!node)
			return false;
		restore_twin(node, from);
	}
	k->top[1].cfa = from->cfa;
	k->top[1].node = node;
	k->top++;
	return true;
}

void parked_take(struct track *k, struct stack *s)
{
	uint32_t i;

	for (i = 0; i < s->count && take_up_frame(k, s, i); i++)
		;
	k->slept = s->count ? s->slept : k->process->sites->slept;
	k->chosen = s->count ? s->chosen : k->chosen;
	s->count = 0;
}
