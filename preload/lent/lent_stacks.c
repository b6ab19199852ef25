/* SPDX-License-Identifier: MIT */
/*
 * lent_stacks.c - coroutines and continuations of an interpreted program (zprof.h): their lent
 * zones are put aside, taken up, and entered again.
 *
 * A table of the process has an entry for each handle. A handle is a place in the table and the
 * serial number of the stack or continuation there, so a dead handle is recognized. Nothing waits.
 * A thread that changes an entry first claims it by setting its state to BUSY (compare-and-swap).
 * If a thread finds an entry claimed, the interpreter uses one handle in two threads: a misuse.
 *
 *     FREE -> BUSY -> ASIDE <-> BUSY <-> RUNNING   a stack: its zones are here, or on the zone
 *                                                  stack of the thread it runs in
 *                  -> KEPT + readers               a continuation: its zones are here, for good
 *
 * Zones that are put aside are a list of (node, activation). If they are taken up where they were,
 * in the same tree above the same node, the list's nodes are used. Elsewhere their zones get nodes
 * below the new carrier, and count as abandoned in the old nodes and re-entered in the new ones.
 */
#define ZPROF_LIBRARY
#include "preload/zprof.h"
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/losses.h"
#include "preload/profile/zones.h"
#include "preload/tree/tree.h"
#include "preload/track/charge.h"
#include "preload/track/hot.h"
#include "preload/track/lineage.h"
#include "preload/stacks/stacks.h"
#include "preload/slow/nested.h"
#include "preload/lent/lent_arrive.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT uint64_t zprof_lent_stack(void);
EXPORT void zprof_lent_switch(uint64_t stack);
EXPORT uint64_t zprof_lent_capture(void);
EXPORT void zprof_lent_restore(uint64_t continuation);
EXPORT void zprof_lent_free(uint64_t handle);

#define STACKS 65536u
#define SMALL  (ZPROF_GRANULE / sizeof(struct aside)) /* zones whose memory a free entry keeps */

enum state { FREE, BUSY, ASIDE, RUNNING, KEPT, READER = 16 };

/* A zone that is put aside. */
struct aside {
	struct zprof_node *node;
	uint64_t serial;
};

struct entry {
	uint32_t state;
	uint32_t serial;       /* of the stack or continuation here; counts up */
	struct lineage *owner; /* its tree has the nodes; a running stack runs in its thread */
	struct aside *zones;
	uint32_t count, room;
	uint32_t next; /* of a free entry: place of the next free entry, from 1 */
};

struct lent_stacks {
	struct entry entry[STACKS];
	uint32_t used;  /* places that were ever in use */
	uint64_t freed; /* list of the free places among them */
};

/* ---- the table */

static struct lent_stacks *stacks_of(struct process *p)
{
	struct lent_stacks *s = __atomic_load_n(&p->lent_stacks, __ATOMIC_ACQUIRE), *none = NULL;

	if (s)
		return s;
	s = sys_memory(sizeof(*s));
	if (!s)
		return NULL;
	if (!__atomic_compare_exchange_n(&p->lent_stacks, &none, s, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE)) {
		sys_memory_free(s, sizeof(*s));
		return none;
	}
	return s;
}

static bool claim(struct entry *e, uint32_t state)
{
	return __atomic_compare_exchange_n(&e->state, &state, BUSY, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_RELAXED);
}

static void set_state(struct entry *e, uint32_t state)
{
	__atomic_store_n(&e->state, state, __ATOMIC_RELEASE);
}

static uint64_t handle_of(const struct lent_stacks *s, const struct entry *e)
{
	return (uint64_t)e->serial << 32 | (uint32_t)(e - s->entry + 1);
}

/* The entry of a handle. NULL: the handle is dead. */
static struct entry *entry_of(struct process *p, uint64_t handle)
{
	struct lent_stacks *s = __atomic_load_n(&p->lent_stacks, __ATOMIC_ACQUIRE);
	uint32_t place = (uint32_t)handle;
	struct entry *e;

	if (!s || place == 0 || place > STACKS)
		return NULL;
	e = &s->entry[place - 1];
	return e->serial == (uint32_t)(handle >> 32) &&
		       __atomic_load_n(&e->state, __ATOMIC_ACQUIRE) != FREE
		   ? e
		   : NULL;
}

/*
 * Takes the place freed last, whose memory is in a cache. The tag in the upper half shows whether
 * other threads changed the list meanwhile.
 */
static struct entry *take_freed(struct lent_stacks *s)
{
	uint64_t head = __atomic_load_n(&s->freed, __ATOMIC_ACQUIRE), next;

	do {
		if (!(uint32_t)head)
			return NULL;
		next = ((head >> 32) + 1) << 32 |
		       __atomic_load_n(&s->entry[(uint32_t)head - 1].next, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&s->freed, &head, next, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_ACQUIRE));
	return &s->entry[(uint32_t)head - 1];
}

static struct entry *take_new(struct lent_stacks *s)
{
	uint32_t used = __atomic_load_n(&s->used, __ATOMIC_RELAXED);

	do
		if (used == STACKS)
			return NULL;
	while (!__atomic_compare_exchange_n(&s->used, &used, used + 1, false, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return &s->entry[used];
}

/* An entry in the state BUSY, empty; NULL: the loss is counted. */
static struct entry *new_entry(struct process *p)
{
	struct lent_stacks *s = stacks_of(p);
	struct entry *e = s ? take_freed(s) : NULL;

	if (s && !e)
		e = take_new(s);
	if (!e) {
		losses_count(p, ZPROF_LOSS_SPACE, 1);
		return NULL;
	}
	e->serial++;
	e->count = 0;
	e->owner = NULL;
	set_state(e, BUSY);
	return e;
}

static void free_entry(struct lent_stacks *s, struct entry *e)
{
	uint64_t head, next;

	if (e->room > SMALL) {
		sys_memory_free(e->zones, e->room * sizeof(*e->zones));
		e->zones = NULL;
		e->room = 0;
	}
	e->count = 0;
	set_state(e, FREE);
	head = __atomic_load_n(&s->freed, __ATOMIC_RELAXED);
	do {
		__atomic_store_n(&e->next, (uint32_t)head, __ATOMIC_RELAXED);
		next = ((head >> 32) + 1) << 32 | (uint32_t)(e - s->entry + 1);
	} while (!__atomic_compare_exchange_n(&s->freed, &head, next, false, __ATOMIC_ACQ_REL,
					      __ATOMIC_RELAXED));
}

/* ---- zones aside */

/* Copies the lent frames above `carrier`. False: no memory, counted. */
static bool put_aside(struct entry *e, const struct track *k, const struct open_zone *carrier)
{
	uint32_t count = (uint32_t)(k->top - carrier), i;
	size_t first = (size_t)(carrier + 1 - k->bottom);

	if (count > e->room) {
		struct aside *zones = sys_memory(count * sizeof(*zones));

		if (!zones) {
			losses_count(k->process, ZPROF_LOSS_SPACE, 1);
			return false;
		}
		sys_memory_free(e->zones, e->room * sizeof(*e->zones));
		e->zones = zones;
		/* sys_memory gives whole pages. */
		e->room = (uint32_t)(((count * sizeof(*zones) + ZPROF_GRANULE - 1) &
				      ~(size_t)(ZPROF_GRANULE - 1)) /
				     sizeof(*zones));
	}
	for (i = 0; i < count; i++) {
		const struct open_zone *f = carrier + 1 + i;

		e->zones[i].node = lent_placeholder(f) ? NULL : f->node;
		e->zones[i].serial = first + i < k->lent->room ? k->lent->serials[first + i] : 0;
	}
	e->count = count;
	e->owner = k->lineage;
	return true;
}

/* Whether `node`, which was put aside, is a child of the node on top, so that it can be used. */
static bool belongs_here(const struct track *k, const struct entry *e,
			 const struct zprof_node *node)
{
	return e->owner == k->lineage && k->level == 0 &&
	       node->parent == node_reference(k->base, k->top->node);
}

/* Puts the zones of `e`, from number `from` on, on top. `again`: they count as re-entered. */
static void take_up(struct track *k, const struct entry *e, uint32_t from, bool again)
{
	bool slow = false;
	uint32_t i;

	for (i = from; i < e->count; i++) {
		struct zprof_node *node = e->zones[i].node;
		uint64_t serial = e->zones[i].serial;

		if (!node) {
			lent_push_node(k, k->top->node, LENT_AGAIN, serial);
		} else if (belongs_here(k, e, node)) {
			lent_push_node(k, node, again ? LENT_AGAIN : LENT_TAKEN_UP, serial);
		} else {
			if (!again)
				lent_abandon_node(node);
			lent_push(k, node->zone, 0, LENT_AGAIN, serial, &slow);
		}
	}
	if (slow)
		charge_own(k);
}

/* ---- stacks */

/*
 * The entry of this track's current stack; for a thread's first stack, the entry is made when the
 * stack is first left.
 */
static struct entry *current_entry(struct track *k)
{
	struct lent *l = k->lent;
	struct entry *e;

	if (l->stack) {
		e = entry_of(k->process, l->stack);
		return e && e->state == RUNNING && claim(e, RUNNING) ? e : NULL;
	}
	e = l->home ? entry_of(k->process, l->home) : NULL;
	if (e)
		return claim(e, RUNNING) ? e : NULL;
	e = new_entry(k->process);
	if (e)
		l->home = handle_of(k->process->lent_stacks, e);
	return e;
}

static void switch_to(struct track *k, uint64_t handle)
{
	struct lent *l = k->lent;
	struct entry *to = entry_of(k->process, handle ? handle : l->home), *from;
	struct open_zone *carrier = lent_carrier(k);

	if (handle == l->stack)
		return;
	if (!to || !claim(to, ASIDE)) {
		lent_misuse(k->process);
		return;
	}
	from = current_entry(k);
	if (!from || !put_aside(from, k, carrier)) {
		if (from)
			set_state(from, RUNNING);
		set_state(to, ASIDE);
		return;
	}
	set_state(from, ASIDE);
	k->top = carrier;
	*k->current = node_reference(k->base, carrier->node);
	take_up(k, to, 0, false);
	to->count = 0;
	to->owner = k->lineage;
	l->stack = handle;
	set_state(to, RUNNING);
	lent_look_again(k);
}

/* The process that records, for functions that are not events. NULL: nothing is recorded. */
static struct process *recording(void)
{
	struct process *p = process_begin(NULL);

	return p && *p->here ? p : NULL;
}

uint64_t zprof_lent_stack(void)
{
	struct process *p = recording();
	struct entry *e = p ? new_entry(p) : NULL;

	if (!e)
		return 0;
	set_state(e, ASIDE);
	return handle_of(p->lent_stacks, e);
}

void zprof_lent_switch(uint64_t stack)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN), 0, TIMING_EXACT);
	struct nested n;

	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_OTHER, NULL))
		switch_to(n.track, stack);
	nested_end(&n, &e);
}

/* ---- continuations */

static uint64_t capture(struct track *k)
{
	struct entry *e = new_entry(k->process);

	if (!e)
		return 0;
	if (!put_aside(e, k, lent_carrier(k))) {
		free_entry(k->process->lent_stacks, e);
		return 0;
	}
	set_state(e, KEPT);
	return handle_of(k->process->lent_stacks, e);
}

uint64_t zprof_lent_capture(void)
{
	struct event e = hot_quiet_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN));
	struct nested n;
	uint64_t handle = 0;

	if (!nested_begin(&n, &e))
		return 0;
	if (lent_arrive(n.track, &e, LENT_OTHER, NULL))
		handle = capture(n.track);
	nested_end(&n, &e);
	return handle;
}

/* Counts a reader of a continuation. While it has readers, it cannot be freed. */
static bool begin_reading(struct entry *e)
{
	uint32_t state = __atomic_load_n(&e->state, __ATOMIC_ACQUIRE);

	do
		if ((state & (READER - 1)) != KEPT)
			return false;
	while (!__atomic_compare_exchange_n(&e->state, &state, state + READER, false,
					    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
	return true;
}

static void end_reading(struct entry *e)
{
	__atomic_sub_fetch(&e->state, READER, __ATOMIC_RELEASE);
}

/* How many zones of a continuation are still open: the same activations in the same places. */
static uint32_t still_open(const struct track *k, const struct entry *e,
			   const struct open_zone *carrier)
{
	size_t first = (size_t)(carrier + 1 - k->bottom), n = (size_t)(k->top - carrier);
	uint32_t i;

	for (i = 0; i < n && i < e->count && first + i < k->lent->room; i++) {
		const struct open_zone *f = carrier + 1 + i;
		struct zprof_node *node = lent_placeholder(f) ? NULL : f->node;

		if (e->owner != k->lineage || node != e->zones[i].node ||
		    k->lent->serials[first + i] != e->zones[i].serial)
			break;
	}
	return i;
}

static void restore(struct track *k, const struct entry *e)
{
	struct open_zone *carrier = lent_carrier(k);
	uint32_t open = still_open(k, e, carrier);

	lent_abandon(k, carrier + open);
	k->top = carrier + open;
	*k->current = node_reference(k->base, k->top->node);
	take_up(k, e, open, true);
	lent_look_again(k);
}

void zprof_lent_restore(uint64_t continuation)
{
	struct event e = hot_event(ZPROF_ZONE_OF_ID(ZONES_UNKNOWN), 0, TIMING_EXACT);
	struct nested n;

	if (!nested_begin(&n, &e))
		return;
	if (lent_arrive(n.track, &e, LENT_OTHER, NULL)) {
		struct entry *kept = entry_of(n.track->process, continuation);

		if (kept && begin_reading(kept)) {
			restore(n.track, kept);
			end_reading(kept);
		} else {
			lent_misuse(n.track->process);
		}
	}
	nested_end(&n, &e);
}

/* ---- the end of stacks and continuations */

void zprof_lent_free(uint64_t handle)
{
	struct process *p = process_now && *process_now->here ? process_now : NULL;
	struct entry *e = p ? entry_of(p, handle) : NULL;
	bool stack = e && claim(e, ASIDE);
	uint32_t i;

	if (!p)
		return;
	if (!stack && !(e && claim(e, KEPT))) {
		lent_misuse(p);
		return;
	}
	for (i = 0; stack && i < e->count; i++)
		if (e->zones[i].node)
			lent_abandon_node(e->zones[i].node);
	free_entry(p->lent_stacks, e);
}
