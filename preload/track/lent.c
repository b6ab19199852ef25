/* SPDX-License-Identifier: MIT */
/* lent.c - see lent.h. */
#include "preload/track/lent.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/counters.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/zones.h"
#include "preload/tree/tree.h"
#include "preload/frames/frames.h"
#include "preload/track/lineage.h"

#define FIRST_SERIALS 512u

static const uint64_t nothing; /* read for a counter that the thread does not have */
static struct zprof_extra
    nobody; /* a sink: the profile has no room, or the thread no counters (levels above 0) */

void lent_misuse(struct process *p)
{
	losses_count(p, ZPROF_MISUSE, 1);
}

/* ---- records */

static struct zprof_extra *new_record(struct track *k)
{
	struct zprof_extra *record = file_record(k->process, &k->tree->extras, ZPROF_SECTION_EXTRAS,
						 k->tree->thread, sizeof(*record));

	if (record)
		return record;
	losses_count(k->process, ZPROF_LOSS_SPACE, 1);
	return &nobody;
}

static struct zprof_extra *extra_of(struct track *k, struct zprof_node *node)
{
	struct twin *t = twin_of(node);

	if (!t->exit_ret) {
		struct zprof_extra *record = new_record(k);

		t->exit_ret = (uintptr_t)record;
		if (record != &nobody)
			record->node = node_reference(k->base, node);
	}
	return (struct zprof_extra *)t->exit_ret;
}

/* In levels above 0 counters are not kept: such a level's tree stands on a node of another tree. */
struct zprof_extra *lent_nearest(struct track *k, struct zprof_node *node)
{
	if (k->level)
		return &nobody;
	while (node->parent && !lent_is(node))
		node = node_at(k->base, node->parent);
	return extra_of(k, node);
}

/* ---- state */

struct lent *lent_of(struct track *k)
{
	struct lent *l = k->lent;
	int i;

	if (l)
		return l;
	l = sys_memory(sizeof(*l));
	if (!l) {
		losses_count(k->process, ZPROF_LOSS_SPACE, 1);
		return NULL;
	}
	for (i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		l->variable[i] = &nothing;
	l->current = lent_nearest(k, k->top->node);
	k->lent = l;
	if (k->level == 0)
		k->lineage->saved.lent = l;
	return l;
}

void lent_look_again(struct track *k)
{
	if (k->lent)
		k->lent->current = lent_nearest(k, k->top->node);
}

void lent_skip(struct lent *l)
{
	uint32_t i;

	for (i = 0; i < l->counters; i++)
		l->before[i] = *(const volatile uint64_t *)l->variable[i];
}

void lent_forget_places(struct lent *l)
{
	int i;

	for (i = 0; l && i < LENT_OPERATIONS; i++)
		l->place[i].ret = 0;
}

static bool room_for_serial(struct lent *l, size_t at)
{
	size_t room = l->room ? 2 * l->room : FIRST_SERIALS;
	uint64_t *serials;

	if (at < l->room)
		return true;
	while (room <= at)
		room *= 2;
	serials = sys_memory(room * sizeof(*serials));
	if (!serials)
		return false;
	memcpy(serials, l->serials, l->room * sizeof(*serials));
	sys_memory_free(l->serials, l->room * sizeof(*serials));
	l->serials = serials;
	l->room = room;
	return true;
}

/* ---- frames */

static void push_frame(struct track *k, struct zprof_node *node, uint64_t serial)
{
	struct lent *l = k->lent;
	size_t at = (size_t)(k->top + 1 - k->bottom);

	if (room_for_serial(l, at))
		l->serials[at] = serial ? serial : ++l->serial;
	k->top[1].cfa = lent_cfa(k->top);
	k->top[1].node = node;
	cpu_publish();
	k->top++;
	*k->current = node_reference(k->base, node);
}

/* The twin's host is used only when a native function inlined into the carrier runs above. */
struct zprof_extra *lent_complete(struct track *k, struct zprof_node *parent,
				  struct zprof_node *node)
{
	struct twin *t = twin_of(node);
	struct zprof_extra *extra = extra_of(k, node);

	if (t->rule != LOCATION_LENT) {
		t->ret = (uintptr_t)lent_nearest(k, parent);
		t->rule = LOCATION_LENT;
	}
	t->host = twin_of(parent)->host;
	return extra;
}

void lent_push_node(struct track *k, struct zprof_node *node, enum lent_way way, uint64_t serial)
{
	struct zprof_extra *extra;

	if (k->top + 1 >= k->limit && !track_more_frames(k)) {
		losses_count(k->process, ZPROF_LOSS_SPACE, 1);
		return;
	}
	if (node == k->top->node) {
		push_frame(k, node, serial);
		return;
	}
	extra = lent_complete(k, k->top->node, node);
	if (k->frames)
		frames_touch(k->frames, node);
	if (way == LENT_CALLED)
		node->calls++;
	else if (way == LENT_AGAIN)
		extra->reentered++;
	push_frame(k, node, serial);
	k->lent->current = extra;
}

struct zprof_node *lent_child(struct track *k, struct zprof_node *parent, uint64_t zone, bool *slow)
{
	if (!zones_lent(ZPROF_ZONE_ID(zone))) {
		lent_misuse(k->process);
		zone = ZPROF_ZONE_OF_ID(ZONES_UNKNOWN);
	}
	return tree_child(k->process, k->tree, parent, zone, slow);
}

void lent_pop(struct track *k)
{
	struct open_zone *top = k->top;

	if (!lent_placeholder(top))
		k->lent->current = (struct zprof_extra *)twin_of(top->node)->ret;
	cpu_publish();
	k->top = top - 1;
	*k->current = node_reference(k->base, top[-1].node);
}

bool lent_return(struct track *k)
{
	struct open_zone *top = k->top;

	if (top == k->bottom || top->cfa == UINTPTR_MAX)
		return false;
	if (!lent_placeholder(top)) {
		if (!lent_is(top->node))
			return false;
		lent_extra(top->node)->returned++;
	}
	lent_pop(k);
	return true;
}

struct open_zone *lent_carrier(const struct track *k)
{
	struct open_zone *f = k->top;

	while (f > k->bottom && (lent_is(f->node) || lent_placeholder(f)))
		f--;
	return f;
}

/* ---- zones left behind */

/* Any thread may call this, hence the atomic addition. */
void lent_abandon_node(struct zprof_node *node)
{
	if (lent_is(node) && lent_extra(node))
		__atomic_fetch_add(&lent_extra(node)->abandoned, 1, __ATOMIC_RELAXED);
}

void lent_abandon(struct track *k, const struct open_zone *to)
{
	const struct open_zone *f;

	if (!k->lent)
		return;
	lent_count(k->lent);
	for (f = k->top; f > to; f--)
		if (!lent_placeholder(f) && f->cfa != UINTPTR_MAX)
			lent_abandon_node(f->node);
	k->lent->current = lent_nearest(k, to->node);
}

void lent_continue(struct track *k, struct zprof_node *child)
{
	if (!lent_of(k))
		return;
	lent_complete(k, k->top->node, child)->reentered++;
}

void lent_begin_thread(struct track *k)
{
	struct lent *l = k->lent;
	struct zprof_node *node = node_at(k->base, k->lineage->record->current[0]);
	int i;

	if (!l)
		return;
	for (; node->parent; node = node_at(k->base, node->parent))
		lent_abandon_node(node);
	for (i = 0; i < ZPROF_EXTRA_COUNTERS; i++)
		l->variable[i] = &nothing;
	l->counters = 0;
	l->stack = l->home = 0;
	l->current = extra_of(k, node);
}

void lent_begin_forked(struct track *k, const struct track *before)
{
	struct lent *l;

	if (!before->lent || !(l = lent_of(k)))
		return;
	memcpy(l->variable, before->lent->variable, sizeof(l->variable));
	l->counters = before->lent->counters;
	l->stack = before->lent->stack;
	l->home = before->lent->home;
	l->serial = before->lent->serial;
	lent_skip(l);
	lent_look_again(k);
}

/* ---- counters */

bool lent_counter(struct track *k, const char *name, const uint64_t *variable)
{
	struct lent *l = lent_of(k);
	uint32_t i;

	if (!l || !name)
		return false;
	i = counters_column(k->process, name);
	if (i == ZPROF_EXTRA_COUNTERS)
		return false;
	lent_count(l);
	l->variable[i] = variable ? variable : &nothing;
	l->before[i] = *(const volatile uint64_t *)l->variable[i];
	if (i >= l->counters)
		l->counters = i + 1;
	return true;
}
