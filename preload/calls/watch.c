/* SPDX-License-Identifier: MIT */
/* watch.c - see watch.h. */
#include "preload/calls/watch.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/module.h"
#include "preload/track/lineage.h"
#include "preload/track/track.h"
#include "preload/calls/ends.h"
#include "preload/calls/named.h"

#define FIRST_SLOTS 256u
#define FIRST_OPEN  256u

/* A watched node. */
struct watched {
	uint32_t node; /* 0: free */
	bool is_frame;
	struct zprof_tail *tail; /* NULL: tails= does not mean the node, or there was no room */
};

/*
 * A call that has not returned. Its zone is frame number `depth` from the bottom of the zone stack;
 * cfa and node are that frame's as the call was made.
 */
struct open_call {
	size_t depth;
	uintptr_t cfa;
	const struct zprof_node *node;
	uint64_t begun;
	struct kind *kind; /* of the frame (frame=) that the call is or is part of; NULL: none */
	struct zprof_tail *tail;
};

struct watch {
	uint32_t thread;
	uint32_t mask, count; /* of slots, a hash by node with linear probing */
	struct watched *slots;
	struct zprof_section *section;
	struct open_call *open; /* sorted by depth */
	size_t open_count, open_room;
};

/* ---- which functions */

/*
 * Adds the functions of the modules numbered `first` up to `end` that match `patterns` to `*known`.
 */
static bool resolve_one(struct process *p, const char *patterns, uint32_t first, uint32_t end,
			struct ranges **known)
{
	struct ranges *more;

	if (!patterns)
		return true;
	more =
	    resolve_functions(p, &(struct resolve){.patterns = patterns}, first, end, *known, NULL);
	if (!more)
		return false;
	__atomic_store_n(known, more, __ATOMIC_RELEASE); /* another thread may still read the old */
	return true;
}

static bool resolve(struct process *p, uint32_t first, uint32_t end)
{
	return resolve_one(p, p->options->frame, first, end, &p->watching->frames) &&
	       resolve_one(p, p->options->tails, first, end, &p->watching->tails);
}

bool watch_init(struct process *p, const struct process *from)
{
	struct watching *w = p->watching;
	const char *asked = p->options->frame ? p->options->frame : p->options->tails;

	if (!asked)
		return true;
	if (from) {
		*w = *from->watching;
	} else if (!resolve(p, 0, p->modules->count)) {
		text_complain("cannot resolve frame= or tails=", asked, 0,
			      "is the command zprof beside libzprof.so, and are the patterns "
			      "right? running unprofiled");
		return false;
	}
	w->resolved = p->modules->count;
	w->active = true;
	return true;
}

/*
 * Resolves frame= and tails= for module `m` and others that have been loaded. Functions that cannot
 * be resolved are not watched.
 */
static void update(struct process *p, const struct module *m)
{
	struct watching *w = p->watching;
	uint32_t end;

	if (m->id <= __atomic_load_n(&w->resolved, __ATOMIC_ACQUIRE) ||
	    __atomic_exchange_n(&w->asking, 1, __ATOMIC_ACQUIRE))
		return;
	end = w->resolved;
	while (end < p->modules->count &&
	       __atomic_load_n(&p->modules->table[end].ready, __ATOMIC_ACQUIRE))
		end++;
	resolve(p, w->resolved, end);
	__atomic_store_n(&w->resolved, end, __ATOMIC_RELEASE);
	__atomic_store_n(&w->asking, 0, __ATOMIC_RELEASE);
}

/* ---- watched nodes */

struct watch *watch_new(struct process *p, uint32_t thread)
{
	struct watch *w = sys_memory(sizeof(*w));
	struct watched *slots = sys_memory(FIRST_SLOTS * sizeof(*slots));
	struct open_call *open = sys_memory(FIRST_OPEN * sizeof(*open));

	if (!w || !slots || !open) {
		sys_memory_free(w, sizeof(*w));
		sys_memory_free(slots, FIRST_SLOTS * sizeof(*slots));
		sys_memory_free(open, FIRST_OPEN * sizeof(*open));
		losses_count(p, ZPROF_LOSS_FRAMES, 1);
		return NULL;
	}
	*w = (struct watch){.thread = thread,
			    .mask = FIRST_SLOTS - 1,
			    .slots = slots,
			    .open = open,
			    .open_room = FIRST_OPEN};
	return w;
}

static struct watched *slot_of(const struct watch *w, uint32_t node)
{
	uint32_t i = (uint32_t)((node * 0x9e3779b97f4a7c15u) >> 32) & w->mask;

	while (w->slots[i].node && w->slots[i].node != node)
		i = (i + 1) & w->mask;
	return &w->slots[i];
}

static bool more_slots(struct watch *w)
{
	uint32_t n = w->mask + 1, i;
	struct watched *old = w->slots, *slots = sys_memory(2 * (size_t)n * sizeof(*slots));

	if (!slots)
		return false;
	w->slots = slots;
	w->mask = 2 * n - 1;
	for (i = 0; i < n; i++)
		if (old[i].node)
			*slot_of(w, old[i].node) = old[i];
	sys_memory_free(old, n * sizeof(*old));
	return true;
}

static void ask_of_function(struct process *p, uint64_t zone, bool *frame, bool *tail)
{
	const struct module *m = module_discover(p, zone);

	if (m)
		update(p, m);
	*frame = resolve_holds(__atomic_load_n(&p->watching->frames, __ATOMIC_ACQUIRE), zone);
	*tail = resolve_holds(__atomic_load_n(&p->watching->tails, __ATOMIC_ACQUIRE), zone);
}

void watch_meet(struct track *k, struct zprof_node *node)
{
	struct process *p = k->process;
	struct watch *w = k->watch;
	struct watched *slot;
	bool frame, tail;

	if (ZPROF_ZONE_KIND(node->zone) == ZPROF_ZONE_NATIVE) {
		ask_of_function(p, node->zone, &frame, &tail);
	} else {
		frame = named_matches(p->options->frame, node->zone);
		tail = named_matches(p->options->tails, node->zone);
	}
	if ((!frame && !tail) || twin_of(node)->tally & TWIN_WATCHED)
		return;
	if (w->count >= (w->mask + 1) / 2 && !more_slots(w)) {
		losses_count(p, ZPROF_LOSS_FRAMES, 1);
		return;
	}
	slot = slot_of(w, node_reference(k->base, node));
	*slot = (struct watched){node_reference(k->base, node), frame, NULL};
	w->count++;
	if (tail)
		slot->tail = file_record(p, &w->section, ZPROF_SECTION_TAILS, w->thread,
					 sizeof(*slot->tail));
	if (slot->tail) {
		slot->tail->flags = p->header->mode == ZPROF_MODE_EXACT ? 0 : ZPROF_FRAMES_NS;
		slot->tail->node = slot->node;
	}
	losses_count(p, ZPROF_LOSS_FRAMES, tail && !slot->tail);
	twin_of(node)->tally |= TWIN_WATCHED;
}

bool watch_is_met(const struct track *k)
{
	return twin_of(k->top->node)->tally & TWIN_WATCHED;
}

/* ---- calls that end */

static void note_sequence(struct zprof_tail *tail)
{
	__atomic_store_n(&tail->sequence, tail->sequence + 1, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_ACQ_REL);
}

/* The first kind with a frame under way, or NULL. */
static const struct kind *under_way(const struct track *k)
{
	uint32_t i;

	for (i = 0; k->frames && i < k->frames->count; i++)
		if (k->frames->kinds[i].record->begun)
			return &k->frames->kinds[i];
	return NULL;
}

static void book_longest(struct track *k, const struct open_call *o, uint64_t took)
{
	const struct kind *kind = o->kind ? o->kind : under_way(k);
	struct zprof_tail *tail = o->tail;

	note_sequence(tail);
	tail->most = took;
	tail->begun = o->begun;
	tail->tid = k->lineage->record->tid;
	tail->frames_of = kind ? kind->reference : 0;
	tail->frame = kind ? kind->record->count + 1 : 0;
	note_sequence(tail);
}

static void book(struct track *k, const struct open_call *o, uint64_t now)
{
	uint64_t took = now > o->begun ? now - o->begun : 0;
	struct zprof_tail *tail = o->tail;

	if (!tail->calls || took > tail->most)
		book_longest(k, o, took);
	if (!tail->calls || took < tail->least)
		tail->least = took;
	tail->sum += took;
	tail->buckets[zprof_bucket(took, ZPROF_TALLY_BITS, ZPROF_TALLY_BUCKETS)]++;
	tail->calls++;
}

static void end_call(struct track *k, uint64_t now)
{
	const struct open_call *o = &k->watch->open[--k->watch->open_count];

	if (o->tail)
		book(k, o, now);
	if (o->kind && !--o->kind->inside)
		ends_frame(k, o->kind, now, true, false);
}

/* Ends, from the top down, the calls whose zones are not open below frame number `limit`. */
static void reconcile(struct track *k, size_t limit, uint64_t now)
{
	const struct watch *w = k->watch;

	while (w->open_count) {
		const struct open_call *o = &w->open[w->open_count - 1];

		if (o->depth < limit && k->bottom[o->depth].node == o->node &&
		    k->bottom[o->depth].cfa == o->cfa)
			break;
		end_call(k, now);
	}
}

static bool room_for_open(struct watch *w)
{
	size_t bytes = w->open_room * sizeof(*w->open);
	struct open_call *more;

	if (w->open_count < w->open_room)
		return true;
	more = sys_memory(2 * bytes);
	if (!more)
		return false;
	memcpy(more, w->open, bytes);
	sys_memory_free(w->open, bytes);
	w->open = more;
	w->open_room *= 2;
	return true;
}

/* ---- events */

void watch_entered(struct track *k, const struct event *e)
{
	struct watch *w = k->watch;
	size_t depth = (size_t)(k->top - k->bottom);
	uint64_t now = ends_clock(k, e);
	const struct watched *slot;
	struct open_call *o;

	reconcile(k, depth, now);
	slot = slot_of(w, node_reference(k->base, k->top->node));
	if (!slot->node)
		return;
	if (!room_for_open(w)) {
		losses_count(k->process, ZPROF_LOSS_FRAMES, 1);
		return;
	}
	o = &w->open[w->open_count++];
	*o = (struct open_call){.depth = depth,
				.cfa = k->top->cfa,
				.node = k->top->node,
				.begun = now,
				.tail = slot->tail};
	if (!slot->is_frame)
		return;
	o->kind = ends_kind(k, NULL, k->top->node->zone);
	if (!o->kind || o->kind->inside++)
		return;
	ends_begin(k, o->kind, now);
	o->begun = o->kind->record->begun;
}

void watch_left(struct track *k, const struct event *e)
{
	if (k->watch->open_count)
		reconcile(k, (size_t)(k->top - k->bottom) + 1, ends_clock(k, e));
}

/* The open call of frame number `depth`, by binary search. NULL: there is none. */
static struct open_call *open_at(const struct watch *w, size_t depth)
{
	size_t low = 0, high = w->open_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (w->open[middle].depth < depth)
			low = middle + 1;
		else
			high = middle;
	}
	return low < w->open_count && w->open[low].depth == depth ? &w->open[low] : NULL;
}

/*
 * The open call of a zone that was taken out keeps its place in `open`, as a call without a node:
 * the next reconcile() ends it.
 */
void watch_moved(struct track *k, size_t depth, size_t to)
{
	struct open_call *o = open_at(k->watch, depth);

	if (!o)
		return;
	if (to) {
		watch_meet(k, k->bottom[to].node);
		o->depth = to;
		o->node = k->bottom[to].node;
		return;
	}
	if (o->kind && !--o->kind->inside)
		ends_frame(k, o->kind, ends_clock(k, &(struct event){.ticks = *k->last}), false,
			   false);
	*o = (struct open_call){.depth = (size_t)(k->top - k->bottom)};
}

void watch_end(struct track *k)
{
	k->watch->open_count = 0;
}
