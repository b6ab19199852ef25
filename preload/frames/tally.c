/* SPDX-License-Identifier: MIT */
/* tally.c - see tally.h. */
#include "preload/frames/tally.h"

#include "preload/base/sys.h"
#include "preload/frames/fade.h"
#include "preload/process/options.h"
#include "preload/profile/losses.h"
#include "preload/sample/charged.h"

#define FIRST_LIST 1024u

bool tally_add(struct tallies *list, uint32_t reference)
{
	if (list->count == list->room) {
		uint32_t room = list->room ? 2 * list->room : FIRST_LIST;
		uint32_t *all = sys_memory(room * sizeof(*all));

		if (!all)
			return false;
		if (list->all) {
			memcpy(all, list->all, list->count * sizeof(*all));
			sys_memory_free(list->all, list->room * sizeof(*all));
		}
		list->all = all;
		list->room = room;
	}
	list->all[list->count++] = reference;
	return true;
}

/* ---- tallies found */

static struct zone_slot *slot_of(const struct kind *kind, uint64_t zone)
{
	uint32_t i = (uint32_t)((zone * 0x9e3779b97f4a7c15u) >> 32) & kind->index_mask;

	while (kind->index[i].zone && kind->index[i].zone != zone)
		i = (i + 1) & kind->index_mask;
	return &kind->index[i];
}

static bool room_in_index(struct kind *kind)
{
	uint32_t n = kind->index ? kind->index_mask + 1 : 0, i;
	struct zone_slot *old = kind->index, *all;

	if (kind->index_count < n / 2)
		return true;
	all = sys_memory((n ? 2 * n : FIRST_LIST) * sizeof(*all));
	if (!all)
		return false;
	kind->index = all;
	kind->index_mask = (n ? 2 * n : FIRST_LIST) - 1;
	for (i = 0; i < n; i++)
		if (old[i].zone)
			*slot_of(kind, old[i].zone) = old[i];
	sys_memory_free(old, n * sizeof(*old));
	return true;
}

/* ---- tallies made */

static struct zprof_tally *new_record(struct frames *f)
{
	if (f->full)
		return NULL;
	return file_record(f->process, &f->section, ZPROF_SECTION_TALLIES, f->thread,
			   sizeof(struct zprof_tally));
}

static struct zprof_noted noted_now(const struct frames *f, uint32_t reference)
{
	char *base = f->process->file->base;
	struct zprof_node *node = node_at(base, reference);
	uint32_t samples = twin_of(node)->samples;
	struct zprof_noted now = {node->calls, node->self_ticks, 0, 0};
	const struct zprof_samples *s;

	if (!f->exact)
		now.time = 0;
	if (!samples)
		return now;
	s = charged_at(base, samples);
	now.waited = s->waited_ns;
	now.preempted = s->preempted_ns;
	if (!f->exact)
		now.time = s->user_ns + s->kernel_ns + s->waited_ns;
	return now;
}

static bool is_inner(const struct frames *f, const struct zprof_node *node)
{
	char *base = f->process->file->base;
	uint32_t above = node->parent;

	for (; above; above = node_at(base, above)->parent)
		if (node_at(base, above)->zone == node->zone)
			return true;
	return false;
}

/*
 * The tally of a zone, made when the zone gets its second node: until then the first node's tally
 * stands for the zone, so the new tally begins as a copy. (A node's total is part of its zone's if
 * the node is not below another node of the zone. A zone's first node never is.)
 */
static struct zprof_tally *zone_of(struct frames *f, struct kind *kind, struct zone_slot *slot)
{
	struct zprof_tally *first = tally_at(f, slot->tally), *zone;

	if (first->flags & ZPROF_TALLY_ZONE)
		return first;
	zone = new_record(f);
	if (!zone)
		return NULL;
	tally_sequence(kind->record);
	memcpy(zone, first, sizeof(*zone));
	zone->flags = ZPROF_TALLY_ZONE;
	zone->next = zone->under_way = 0;
	zone->gathered = 0;
	first->of_zone = slot->tally = tally_reference(f, zone);
	kind->record->tallies++;
	tally_sequence(kind->record);
	return zone;
}

struct zprof_tally *tally_make(struct frames *f, struct kind *kind, struct zprof_node *node)
{
	struct twin *twin = twin_of(node);
	struct zprof_tally *t = tally_of(f, kind, twin), *zone = NULL;
	struct zone_slot *slot;

	if (t)
		return t;
	t = room_in_index(kind) ? new_record(f) : NULL;
	if (t) {
		slot = slot_of(kind, node->zone);
		if (slot->zone)
			zone = zone_of(f, kind, slot);
		t->of_zone = zone ? slot->tally : 0;
	}
	if (!t || (slot->zone && !zone)) {
		losses_count(f->process, ZPROF_LOSS_FRAMES, 1);
		kind->record->flags |= ZPROF_FRAMES_PART;
		f->full = true;
		return NULL;
	}
	t->zone = node->zone;
	t->frames_of = kind->reference;
	t->flags = is_inner(f, node) ? ZPROF_TALLY_INNER : 0;
	t->next = twin->tally & TWIN_REFERENCE;
	t->node = node_reference(f->process->file->base, node);
	tally_skip(f, t);
	if (!zone) {
		*slot = (struct zone_slot){node->zone, tally_reference(f, t)};
		kind->index_count++;
	}
	kind->record->tallies++;
	twin->tally = (twin->tally & ~TWIN_REFERENCE) | tally_reference(f, t);
	return t;
}

/* ---- at the end of a frame */

bool tally_take(const struct frames *f, struct zprof_tally *t)
{
	struct zprof_noted now = noted_now(f, t->node), before = t->noted;

	if (now.calls == before.calls && now.time == before.time && now.waited == before.waited &&
	    now.preempted == before.preempted)
		return false;
	t->calls.now = (int64_t)(now.calls - before.calls);
	t->self.now = (int64_t)(now.time - before.time);
	t->waited = now.waited - before.waited;
	t->preempted = now.preempted - before.preempted;
	t->noted = now;
	return true;
}

void tally_skip(const struct frames *f, struct zprof_tally *t)
{
	t->noted = noted_now(f, t->node);
}

/*
 * Adds the value of the frame that ends to the sum and the averages. Averages also fall in frames
 * without a value: `since` is the part of each average that is left from the latest frame with a
 * value until now.
 */
static void book_value(struct zprof_value *v, bool first, const uint64_t *since)
{
	int64_t now = v->now * ((int64_t)1 << ZPROF_AVERAGE_BITS);
	int i;

	v->sum += v->now;
	if (first || v->now < v->least)
		v->least = v->now;
	if (first || v->now > v->most)
		v->most = v->now;
	for (i = 0; i < ZPROF_AVERAGES; i++)
		v->average[i] = fade_times(v->average[i], since[i]) + now;
}

static uint32_t bucket(int64_t value)
{
	return zprof_bucket(value > 0 ? (uint64_t)value : 0, ZPROF_TALLY_BITS, ZPROF_TALLY_BUCKETS);
}

void tally_book(struct zprof_tally *t, const struct ending *e)
{
	uint64_t since[ZPROF_AVERAGES];
	bool first = !t->frames;
	int i;

	for (i = 0; i < ZPROF_AVERAGES; i++)
		if (t->frame + 1 == e->number)
			since[i] = e->left[i];
		else
			since[i] = fade_left(e->ended - t->ended, e->half[i]);
	book_value(&t->calls, first, since);
	book_value(&t->self, first, since);
	book_value(&t->total, first, since);
	t->selves[bucket(t->self.now)]++;
	t->totals[bucket(t->total.now)]++;
	t->frames++;
	t->frame = e->number;
	t->ended = e->ended;
}
