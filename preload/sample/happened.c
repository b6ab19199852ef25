/* SPDX-License-Identifier: MIT */
/* happened.c - see happened.h. */
#define _GNU_SOURCE
#include "preload/sample/happened.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/counters.h"
#include "preload/profile/file.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"
#include "preload/process/options.h"
#include "preload/sample/kept.h"
#include "preload/sample/ran.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/tree/tree.h"

#include <sys/mman.h>

#define FIRST_SLOTS 256u
#define NO_CPU      UINT32_MAX

struct happened {
	struct zprof_node *own; /* of the zone `[zprof]` */
	uint32_t cpu;           /* that the latest note came from */
	uint64_t faults;        /* the number of the latest fault noted in this ring; 0: none yet */
	struct zprof_node *latest; /* in this look: of the latest fault whose place is certain */
	struct zprof_node *in_full_ring; /* has the faults up to the next note */
	bool full;                       /* faults may have found no room since the latest note */

	/* Records of nodes, found by linear probing. */
	uint32_t mask, count;
	struct zprof_extra **slots;
	struct zprof_section *section;
};

/* ---- a process */

static const char *const names[] = {
#define X(name, text) text,
    ZPROF_EVENTS(X)
#undef X
};

/* Whether the kernel notes page faults: tried with a ring that is closed at once. */
static bool can_note_faults(struct process *p)
{
	struct sampling *g = p->sampling;
	struct ring ring = {.head = &ring_silence, .room = RING_ROOM, .labels = true};
	long r = kept_begin(&g->kept);

	if (!r) {
		ring.kept = &g->kept;
		r = ring_open(&ring, 1000000000u, 0, g->by);
		if (!r)
			r = ring.faults_refused;
		ring_close(&ring);
	}
	if (r)
		identity_note(p,
			      "page faults are not counted (events=): the kernel refuses "
			      "perf_event_open(2) or io_submit(2), error ",
			      (uint64_t)-r);
	return !r;
}

void happened_begin(struct process *p)
{
	struct sampling *g = p->sampling;
	uint32_t i;

	g->events = p->options->events;
	if (!g->events)
		return;
	if (g->by != ZPROF_SAMPLER_KERNEL && g->by != ZPROF_SAMPLER_USER) {
		identity_note(p,
			      "nothing is counted of what events= asks for: the kernel takes no "
			      "samples of this program, error ",
			      p->header->sampler_error);
		g->events = 0;
	}
	if (g->events & 1u << ZPROF_EVENT_FAULTS && !can_note_faults(p))
		g->events &= ~(1u << ZPROF_EVENT_FAULTS);
	for (i = 0; i < ZPROF_EVENTS_USED; i++) {
		if (!(g->events & 1u << i))
			continue;
		g->event_columns[i] = counters_column(p, names[i]);
		if (g->event_columns[i] == ZPROF_EXTRA_COUNTERS)
			g->events &= ~(1u << i);
	}
}

/* ---- a thread */

struct happened *happened_new(struct process *p, struct zprof_node *own)
{
	struct happened *h;

	if (!p->sampling->events)
		return NULL;
	h = sys_memory(sizeof(*h));
	if (h)
		h->slots = sys_memory(FIRST_SLOTS * sizeof(struct zprof_extra *));
	if (!h || !h->slots) {
		sys_memory_free(h, sizeof(*h));
		losses_count(p, ZPROF_LOSS_EVENT_THREADS, 1);
		return NULL;
	}
	h->own = own;
	h->cpu = NO_CPU;
	h->mask = FIRST_SLOTS - 1;
	return h;
}

static bool is_wanted(const struct notes *n, uint32_t event)
{
	return n->happened && n->sampling->events & 1u << event;
}

void happened_begin_thread(struct notes *n)
{
	if (n->happened)
		n->happened->cpu = NO_CPU;
}

void happened_prepare(struct notes *n)
{
	bool faults = is_wanted(n, ZPROF_EVENT_FAULTS);

	n->ring.labels = faults || is_wanted(n, ZPROF_EVENT_MIGRATIONS);
	n->ring.kept = faults ? &n->sampling->kept : NULL;
}

void happened_begin_ring(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;

	if (!h)
		return;
	h->faults = 0;
	h->full = false;
	h->in_full_ring = NULL;
	if (n->ring.kept && n->ring.faults_refused)
		losses_count(p, ZPROF_LOSS_EVENT_THREADS, 1);
}

/* ---- records */

static uint32_t slot_of(const struct happened *h, uint32_t node)
{
	return (uint32_t)((node * 0x9e3779b97f4a7c15u) >> 32) & h->mask;
}

static void insert(struct happened *h, struct zprof_extra *record)
{
	uint32_t i = slot_of(h, record->node);

	while (h->slots[i])
		i = (i + 1) & h->mask;
	h->slots[i] = record;
}

static bool more_slots(struct happened *h)
{
	uint32_t n = h->mask + 1, i;
	struct zprof_extra **old = h->slots,
			   **slots = sys_memory(2 * (size_t)n * sizeof(struct zprof_extra *));

	if (!slots)
		return false;
	h->slots = slots;
	h->mask = 2 * n - 1;
	for (i = 0; i < n; i++)
		if (old[i])
			insert(h, old[i]);
	sys_memory_free(old, n * sizeof(struct zprof_extra *));
	return true;
}

/* The record of a node (a reference), made if it is missing. NULL: there is no room. */
static struct zprof_extra *find_record(struct notes *n, struct process *p, uint32_t node)
{
	struct happened *h = n->happened;
	uint32_t i = slot_of(h, node);
	struct zprof_extra *record;

	for (; (record = h->slots[i]); i = (i + 1) & h->mask)
		if (record->node == node)
			return record;
	if (h->count >= (h->mask + 1) / 2 && !more_slots(h))
		return NULL;
	record = file_record(p, &h->section, ZPROF_SECTION_EXTRAS, n->record->id, sizeof(*record));
	if (!record)
		return NULL;
	h->count++;
	record->node = node;
	insert(h, record);
	return record;
}

static void charge(struct notes *n, struct process *p, uint32_t event, uint32_t node,
		   uint64_t times)
{
	struct zprof_extra *record = find_record(n, p, node);

	if (record)
		record->counter[n->sampling->event_columns[event]] += times;
	else
		losses_count(p, ZPROF_LOSS_EVENTS, times);
}

static void charge_node(struct notes *n, struct process *p, uint32_t event, struct zprof_node *node,
			uint64_t times)
{
	if (node && times)
		charge(n, p, event, node_reference(p->file->base, node), times);
}

/* ---- what happened */

/*
 * Charges the faults before number `next`, for which there was no room, to the node in which the ring
 * was full.
 */
static void charge_missing(struct notes *n, struct process *p, uint64_t next)
{
	struct happened *h = n->happened;

	if (h->faults && next > h->faults)
		charge_node(n, p, ZPROF_EVENT_FAULTS, h->in_full_ring, next - h->faults - 1);
	h->faults = next - 1;
	h->full = false;
}

void happened_fault(struct notes *n, struct process *p, struct zprof_node *node,
		    const struct ring_note *note)
{
	struct happened *h = n->happened;
	bool sure;

	charge_missing(n, p, note->faults);
	h->faults = note->faults;
	if (!node)
		return;
	if (ran_is_hooks(p, note->ip)) {
		charge_node(n, p, ZPROF_EVENT_FAULTS, h->own ? h->own : node, 1);
		return;
	}
	node = ran_place(n, p, node, note, &sure);
	if (sure)
		h->latest = node;
	charge_node(n, p, ZPROF_EVENT_FAULTS, node, 1);
}

void happened_switches(struct notes *n, struct process *p, uint32_t node, uint64_t times)
{
	if (times && is_wanted(n, ZPROF_EVENT_SWITCHES))
		charge(n, p, ZPROF_EVENT_SWITCHES, node, times);
}

void happened_on(struct notes *n, struct process *p, struct zprof_node *node, uint32_t cpu)
{
	struct happened *h = n->happened;

	if (!is_wanted(n, ZPROF_EVENT_MIGRATIONS))
		return;
	if (h->cpu != cpu && h->cpu != NO_CPU)
		charge_node(n, p, ZPROF_EVENT_MIGRATIONS, node, 1);
	h->cpu = cpu;
}

/* ---- a full ring */

/*
 * Causes a page fault. There is none, and it does no harm, if the program has locked all its memory
 * (mlockall(2)).
 */
static void fault(void)
{
	char *page = sys_memory(1);

	if (!page)
		return;
	*(volatile char *)page = 1;
	sys_memory_free(page, 1);
}

/* The node that was current while the ring was full. */
static struct zprof_node *place_since(const struct notes *n, struct zprof_node *node)
{
	bool sure;

	return node && n->happened->latest ? n->happened->latest : ran_place_since(n, node, &sure);
}

/*
 * Reads the number of the first fault in the ring, and leaves all notes there: others before it may
 * be for the next look.
 */
static void look_ahead(struct notes *n, struct process *p)
{
	uint64_t head = *n->ring.head;
	struct ring ahead = n->ring;
	struct ring_note note;

	for (; (int64_t)(head - ahead.tail) > 0; ahead.tail += note.size) {
		ring_read(&ahead, &note);
		if (note.kind == RING_FAULT) {
			charge_missing(n, p, note.faults);
			return;
		}
	}
}

void happened_in_full_ring(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct happened *h = n->happened;

	if (!h || !n->ring.kept || n->ring.faults_refused)
		return;
	h->full = true;
	h->in_full_ring = place_since(n, node);
	if (!sys_forbidden && !n->ended)
		fault();
	look_ahead(n, p);
}

bool happened_is_waiting(const struct notes *n)
{
	return n->happened && n->happened->full;
}

void happened_end_look(struct notes *n)
{
	if (n->happened)
		n->happened->latest = NULL;
}

void happened_end_ring(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;

	if (h && h->full && h->in_full_ring)
		losses_count(p, ZPROF_LOSS_EVENT_RINGS, 1);
	if (h)
		h->full = false;
}
