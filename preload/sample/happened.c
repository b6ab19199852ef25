/* SPDX-License-Identifier: MIT */
/* happened.c - see happened.h. */
#define _GNU_SOURCE
#include "preload/sample/happened.h"

#include "preload/base/sys.h"
#include "preload/base/text.h"
#include "preload/process/process.h"
#include "preload/profile/counters.h"
#include "preload/profile/file.h"
#include "preload/profile/identity.h"
#include "preload/profile/losses.h"
#include "preload/process/options.h"
#include "preload/sample/event.h"
#include "preload/sample/kept.h"
#include "preload/sample/processor.h"
#include "preload/sample/ran.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/tree/tree.h"

#include <errno.h>
#include <time.h>

#define FIRST_SLOTS 256u
#define NO_CPU      UINT32_MAX

/* An event that writes notes of its own into the thread's ring, as ring.beside of the same number. */
struct happening {
	uint32_t event;
	uint64_t number; /* of the latest note in this ring, in periods; 0: none yet */
	uint64_t off_ns; /* that the latest note told */
	struct zprof_node *in_full_ring; /* has what happened up to the next note */
	bool full;                       /* notes may have found no room since the latest one */
	bool unsure;                     /* ... in several nodes */
};

struct happened {
	struct zprof_node *own;    /* of the zone `[zprof]` */
	uint32_t cpu;              /* that the latest note came from */
	struct zprof_node *latest; /* in this look: of the latest event whose place is certain */
	uint64_t provoked_ns, price_ns; /* when events were last provoked, and how long it took */

	struct happening happening[EVENT_BESIDES];
	struct event_beside beside[EVENT_BESIDES];
	uint32_t count; /* of both */

	/* Records of nodes, found by linear probing. */
	uint32_t mask, record_count;
	struct zprof_extra **slots;
	struct zprof_section *section;
};

/* ---- a process */

static const char *const names[] = {
#define X(name, text) text,
    ZPROF_EVENTS(X)
#undef X
};

static bool is_noted(uint32_t event)
{
	return event == ZPROF_EVENT_FAULTS || processor_has(event);
}

/* What an event that is noted is for the kernel. */
static struct event_beside describe(uint32_t event)
{
	const struct processor_event *e;

	if (!processor_has(event))
		return (struct event_beside){
		    .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_PAGE_FAULTS, .period = 1};
	e = &processor_events[event - ZPROF_EVENT_INSTRUCTIONS];
	return (struct event_beside){.type = e->type,
				     .config = e->config,
				     .period = e->period,
				     .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						    PERF_FORMAT_TOTAL_TIME_RUNNING};
}

/* Whether the kernel notes an event, 0 or -errno: tried with a ring that is closed at once. */
static long try_event(struct sampling *g, uint32_t event)
{
	struct event_beside beside = describe(event);
	struct ring ring = {.head = &ring_silence,
			    .room = RING_ROOM,
			    .labels = true,
			    .beside = &beside,
			    .beside_count = 1,
			    .kept = &g->kept};
	long r = ring_open(&ring, 1000000000u, 0, g->by);

	if (!r)
		r = beside.result;
	ring_close(&ring);
	return r;
}

static void say_refused(struct process *p, uint32_t event, long error)
{
	char line[200];
	struct text t;

	text_init(&t, line, sizeof(line));
	text_add(&t, names[event]);
	text_add(&t, " are not counted (events=): ");
	if (error == -ENOENT || error == -EOPNOTSUPP || error == -ENODEV)
		text_add(&t, "this machine has no such counter, ");
	else
		text_add(&t, "the kernel refuses perf_event_open(2), or io_uring_setup(2) and "
			     "io_submit(2), ");
	text_add(&t, "error ");
	identity_note(p, line, (uint64_t)-error);
}

/* Of samples a reader must know how many there are. */
static void say_period(struct process *p, uint32_t event)
{
	char line[200];
	struct text t;

	text_init(&t, line, sizeof(line));
	text_add(&t, names[event]);
	text_add(&t, " are a sum of samples (events=): the error of a number N is the square root "
		     "of N times ");
	identity_note(p, line, processor_events[event - ZPROF_EVENT_INSTRUCTIONS].period);
}

static void try_events(struct process *p)
{
	struct sampling *g = p->sampling;
	bool begun = false;
	long keeps = 0, r;
	uint32_t i;

	for (i = 0; i < ZPROF_EVENTS_USED; i++) {
		if (!(g->events & 1u << i) || !is_noted(i))
			continue;
		if (!begun)
			keeps = kept_begin(&g->kept);
		begun = true;
		r = keeps ? keeps : try_event(g, i);
		if (!r)
			continue;
		say_refused(p, i, r);
		g->events &= ~(1u << i);
	}
}

static void name_column(struct process *p, uint32_t event)
{
	struct sampling *g = p->sampling;
	char line[200];
	struct text t;

	g->event_columns[event] = counters_column(p, names[event]);
	if (g->event_columns[event] != ZPROF_EXTRA_COUNTERS) {
		if (processor_has(event))
			say_period(p, event);
		return;
	}
	g->events &= ~(1u << event);
	text_init(&t, line, sizeof(line));
	text_add(&t, names[event]);
	text_add(&t, " are not counted (events=): the number of counters in a profile is ");
	identity_note(p, line, ZPROF_EXTRA_COUNTERS);
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
	try_events(p);
	for (i = 0; i < ZPROF_EVENTS_USED; i++)
		if (g->events & 1u << i)
			name_column(p, i);
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
	struct happened *h = n->happened;
	uint32_t i;

	n->ring.beside_count = 0;
	n->ring.labels = is_wanted(n, ZPROF_EVENT_MIGRATIONS);
	if (!h)
		return;
	h->count = 0;
	for (i = 0; i < ZPROF_EVENTS_USED; i++) {
		if (!is_wanted(n, i) || !is_noted(i))
			continue;
		h->happening[h->count] = (struct happening){.event = i};
		h->beside[h->count++] = describe(i);
	}
	n->ring.labels = n->ring.labels || h->count;
	n->ring.beside_count = h->count;
	n->ring.beside = h->beside;
	n->ring.kept = &n->sampling->kept;
}

void happened_begin_ring(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;
	uint32_t i;

	for (i = 0; h && i < h->count; i++)
		if (h->beside[i].result)
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
	if (h->record_count >= (h->mask + 1) / 2 && !more_slots(h))
		return NULL;
	record = file_record(p, &h->section, ZPROF_SECTION_EXTRAS, n->record->id, sizeof(*record));
	if (!record)
		return NULL;
	h->record_count++;
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

/* Of a note; numbers begin with 1. A note of the processor may come some events late. */
static uint64_t number_of(const struct happened *h, const struct ring_note *note)
{
	uint64_t period = h->beside[note->beside].period;

	return (note->count + period / 2) / period;
}

/*
 * Charges what happened before number `next`, for which there was no room, to the node in which the
 * ring was full. (Faults from before the first note came as the ring was made.)
 */
static void charge_missing(struct notes *n, struct process *p, uint32_t beside, uint64_t next)
{
	struct happened *h = n->happened;
	struct happening *w = &h->happening[beside];
	bool knows = w->event == ZPROF_EVENT_FAULTS ? w->number != 0 : w->full;

	if (knows && next > w->number && w->unsure)
		losses_count(p, ZPROF_LOSS_EVENT_NOTES, next - w->number - 1);
	else if (knows && next > w->number)
		charge_node(n, p, w->event, w->in_full_ring,
			    (next - w->number - 1) * h->beside[beside].period);
	w->number = next - 1;
	w->full = false;
	w->unsure = false;
}

/* The time for which the processor had no counter for the event is in the note, in all. */
static void count_off(struct process *p, struct happening *w, uint64_t off_ns)
{
	if (off_ns <= w->off_ns)
		return;
	losses_count(p, ZPROF_LOSS_EVENT_TURNS, off_ns / 1000000 - w->off_ns / 1000000);
	w->off_ns = off_ns;
}

void happened_event(struct notes *n, struct process *p, struct zprof_node *node,
		    const struct ring_note *note)
{
	struct happened *h = n->happened;
	struct happening *w = &h->happening[note->beside];
	uint64_t period = h->beside[note->beside].period, number = number_of(h, note);
	bool sure;

	charge_missing(n, p, note->beside, number);
	w->number = number;
	count_off(p, w, note->off_ns);
	if (!node)
		return;
	if (ran_is_hooks(p, note->ip)) {
		charge_node(n, p, w->event, h->own ? h->own : node, period);
		return;
	}
	node = ran_place(n, p, node, note, &sure);
	if (sure)
		h->latest = node;
	charge_node(n, p, w->event, node, period);
}

void happened_stopped(struct process *p)
{
	losses_count(p, ZPROF_LOSS_EVENT_THROTTLED, 1);
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

/* Whether no note has told yet how many of some events found no room. */
static bool waits_for(const struct happened *h, bool (*event)(uint32_t))
{
	uint32_t i;

	for (i = 0; i < h->count; i++)
		if (h->happening[i].full && event(h->happening[i].event))
			return true;
	return false;
}

/*
 * Reads the number of the first note of each event in the ring, and leaves all notes there: others
 * before them may be for the next look.
 */
static void look_ahead(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;
	uint64_t head = *n->ring.head;
	struct ring ahead = n->ring;
	struct ring_note note;

	for (; (int64_t)(head - ahead.tail) > 0 && waits_for(h, is_noted);
	     ahead.tail += note.size) {
		ring_read(&ahead, &note);
		if (note.kind == RING_EVENT && h->happening[note.beside].full)
			charge_missing(n, p, note.beside, number_of(h, &note));
	}
}

/* Lets events of the processor happen, until a note of each has come. */
static void provoke(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;
	uint64_t began;
	uint32_t i;

	if (sys_forbidden || n->ended || !waits_for(h, processor_has))
		return;
	began = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < PROCESSOR_TURNS && waits_for(h, processor_has); i++) {
		processor_provoke(began + i);
		look_ahead(n, p);
	}
	h->provoked_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	h->price_ns = h->provoked_ns - began;
}

/*
 * Marks the events for whose notes there may have been no room. If an event has been waiting since an
 * earlier look, of another node, nobody knows which of the two has the missing ones.
 */
static bool mark_full(struct happened *h, struct zprof_node *place)
{
	bool any = false;
	uint32_t i;

	for (i = 0; i < h->count; i++) {
		struct happening *w = &h->happening[i];

		if (h->beside[i].result)
			continue;
		w->unsure = w->full && (w->unsure || w->in_full_ring != place);
		w->in_full_ring = place;
		w->full = any = true;
	}
	return any;
}

/* So that no more than a fiftieth of a thread's time goes there. */
#define PRICES 50

void happened_in_full_ring(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct happened *h = n->happened;

	if (!h || !mark_full(h, place_since(n, node)))
		return;
	if (!sys_forbidden && !n->ended && h->happening[0].event == ZPROF_EVENT_FAULTS)
		fault();
	look_ahead(n, p);
	if (n->ran.seen_ns - h->provoked_ns >= PRICES * h->price_ns)
		provoke(n, p);
}

static bool is_fault(uint32_t event)
{
	return event == ZPROF_EVENT_FAULTS;
}

bool happened_is_waiting(const struct notes *n)
{
	return n->happened && waits_for(n->happened, is_fault);
}

void happened_end_look(struct notes *n)
{
	if (n->happened)
		n->happened->latest = NULL;
}

void happened_end_ring(struct notes *n, struct process *p)
{
	struct happened *h = n->happened;
	uint32_t i;

	if (!h)
		return;
	provoke(n, p);
	for (i = 0; i < h->count; i++) {
		struct happening *w = &h->happening[i];

		if (w->full && (w->in_full_ring || w->unsure))
			losses_count(p, ZPROF_LOSS_EVENT_RINGS, 1);
		w->full = w->unsure = false;
	}
}
