/* SPDX-License-Identifier: MIT */
/* notes.c - see notes.h. */
#include "preload/sample/notes.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/timebase.h"
#include "preload/sample/away.h"
#include "preload/sample/happened.h"
#include "preload/sample/ran.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/series.h"
#include "preload/sample/signal.h"
#include "preload/sample/timer.h"
#include "preload/sample/waits.h"
#include "preload/tree/tree.h"

/* ---- beginning */

/* Clears all members but those that the lineage has given to the thread before. */
static void clear(struct notes *n, struct process *p, struct zprof_thread *record)
{
	*n = (struct notes){.sampling = p->sampling,
			    .record = record,
			    .section = n->section,
			    .inside = n->inside,
			    .chains = n->chains,
			    .waits = n->waits,
			    .happened = n->happened,
			    .found = n->found,
			    .whom = n->whom,
			    .place = n->place,
			    .unsure = n->unsure,
			    .stack = n->stack};
	ring_forget(&n->ring);
}

bool notes_begin(struct notes *n, struct process *p, struct zprof_thread *record)
{
	clear(n, p, record);
	if (n->sampling->by == ZPROF_SAMPLER_NONE)
		return true;
	if (sys_forbidden || n->sampling->stopped || !series_begin(n, p))
		return false;
	ran_see_time(n);
	happened_begin_thread(n);
	away_begin(n);
	away_charge_queued(n, p, NULL);
	if (n->waits && n->ring.by == ZPROF_SAMPLER_KERNEL)
		waits_begin(n->waits, n->roomy);
	n->ran.deaf = ring_is_timers(&n->ring) && signal_is_blocked();
	losses_count(p, ZPROF_LOSS_SAMPLERS, n->ran.deaf);
	return true;
}

void notes_stop(struct notes *n, struct process *p)
{
	if (!n->ring.memory || !ring_is_timers(&n->ring))
		return;
	timer_stop(&n->ring);
	losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* ---- reading */

/* The state of one look. If a jump abandons the look, this struct is lost with it. */
struct look {
	struct zprof_node *node;
	uint64_t ticks;    /* when the node ended; 0: now */
	uint64_t head;     /* later notes are left to the next look, so that this one ends */
	uint64_t until_ns; /* later absences are left to the next look; 0: not computed yet */
	bool was_full;     /* the ring was full as the look began */
	struct away_account account; /* taken before most notes are read; or unknown */
	struct ring_note note;       /* the latest note that has been read */
};

/* Shorter than any absence, and longer than the readings of the two clocks may be apart. */
#define LEAVING_NS 1000u

/* The moment, by CLOCK_MONOTONIC, at which the clock that hooks read was at `ticks`. */
static uint64_t time_of_ticks(const struct process *p, uint64_t ticks)
{
	uint64_t now, ns;

	tick_pair(&now, &ns);
	if (!p->hz || now <= ticks)
		return ns;
	return ns - (uint64_t)((unsigned __int128)(now - ticks) * 1000000000u / p->hz);
}

/*
 * Whether look->note is of an absence that the next look must charge: one that began after the node
 * ended, or after this look's account was taken.
 */
static bool is_next_looks(const struct notes *n, const struct process *p, struct look *look)
{
	const struct ring_note *note = &look->note;

	if (note->kind != RING_LEFT && note->kind != RING_LOST_IT)
		return false;
	if (away_is_known(&look->account) && note->time_ns > look->account.elapsed_ns)
		return true;
	if (!n->sampling->exact || !look->ticks)
		return false;
	if (!look->until_ns)
		look->until_ns = time_of_ticks(p, look->ticks) - LEAVING_NS;
	return note->time_ns > look->until_ns;
}

/* Takes the next note of this look out of the ring. False: there is none. */
static bool next_note(struct notes *n, const struct process *p, struct look *look)
{
	/*
	 * (Two threads that share thread-local storage may both be here, and have moved the tail
	 * beyond the head.)
	 */
	if ((int64_t)(look->head - n->ring.tail) <= 0)
		return false;
	ring_read(&n->ring, &look->note);
	if (look->note.kind == RING_NOTHING || is_next_looks(n, p, look))
		return false;
	ring_done(&n->ring, &look->note);
	return true;
}

/*
 * The node of an absence that a look at `node` finds: by its place, if the kernel notes it. If nobody
 * knows where the thread waited, no function is charged.
 */
static struct zprof_node *absent_in(const struct notes *n, const struct process *p,
				    struct zprof_node *node, bool preempted)
{
	struct ring_note note;
	struct zprof_node *place;
	bool sure = false;

	if (n->waits && n->place && node && n->reading == 1 && !n->ended &&
	    waits_place(n->waits, &note)) {
		place = n->place(node, &note, &sure);
		if (sure)
			return place;
	}
	place = ran_place_since(n, node, &sure);
	return sure || preempted ? place : node_at(p->file->base, n->record->root);
}

static void charge_note(struct notes *n, struct process *p, const struct look *look)
{
	const struct ring_note *note = &look->note;
	bool is_before = n->split.node && note->time_ns < n->split.until_ns;
	struct zprof_node *node = is_before ? n->split.node : look->node;

	switch (note->kind) {
	case RING_SAMPLE:
		happened_on(n, p, node, note->cpu);
		ran_sample(n, p, node, note);
		break;
	case RING_EVENT:
		happened_on(n, p, node, note->cpu);
		happened_event(n, p, node, note);
		break;
	case RING_STOPPED:
		happened_stopped(p);
		break;
	case RING_LEFT:
	case RING_LOST_IT:
		away_left(n, note);
		break;
	case RING_BACK:
		node = absent_in(n, p, node, n->away.preempted);
		happened_on(n, p, node, note->cpu);
		away_back(n, p, node, note->time_ns);
		break;
	case RING_LOST:
		n->ran.lost = true;
		away_unknown(n);
		break;
	case RING_NOTHING:
	case RING_OTHER:
		break;
	}
}

/* Whether this look may find that notes of absences are missing. */
static bool may_lack_absences(const struct notes *n, const struct look *look)
{
	return !ring_is_timers(&n->ring) &&
	       (look->was_full || n->away.missing || ring_may_be_over(&n->ring));
}

/*
 * The kernel may give the processor to other threads when it is asked for its counts. So the first
 * note is taken out of the ring before: a full ring then has room for a note of that absence.
 */
static void read_notes(struct notes *n, struct process *p, struct look *look)
{
	bool asks = may_lack_absences(n, look), more;

	away_charge_queued(n, p, look->node);
	more = next_note(n, p, look);
	if (asks)
		away_take_account(n, &look->account);
	ran_count_time(n);
	for (; more; more = next_note(n, p, look))
		charge_note(n, p, look);
	n->split.node = NULL;
}

/* ---- what was not noted */

/* Charges time that was not noted to the look's node, since no hook has come between. */
static void make_up(struct notes *n, struct process *p, const struct look *look)
{
	bool silent = look->was_full || ring_is_over(&n->ring);

	if (silent)
		ran_in_silence(n, p, look->node);
	if (ring_is_timers(&n->ring))
		return;
	if (silent || (n->away.missing && away_is_known(&look->account)))
		away_make_up(n, p, absent_in(n, p, look->node, false), &look->account);
	else if (*n->ring.head == n->ring.tail)
		away_settle(n, look->note.time_ns);
	/*
	 * Taking out the first note made room for one or two while the kernel was asked; more notes
	 * may be lost since.
	 */
	if (silent && !sys_forbidden)
		away_interrupted(n);
}

/* ---- a look */

static void look_once(struct notes *n, struct process *p, struct zprof_node *node, uint64_t ticks)
{
	struct look look = {.node = node, .ticks = ticks, .head = *n->ring.head};

	look.was_full = ring_is_full(&n->ring);
	read_notes(n, p, &look);
	timebase_alive(p, look.note.time_ns);
	make_up(n, p, &look);
	if (look.was_full)
		happened_in_full_ring(n, p, node);
	if (!node)
		ran_pass_over(n); /* in a pause, neither samples nor other time are charged */
	series_go_on_if_spent(n, p, node);
	ran_end_look(n, p);
	happened_end_look(n);
	n->comes_from = NULL;
}

void notes_look(struct notes *n, struct process *p, struct zprof_node *node, uint32_t level,
		uint64_t ticks)
{
	if ((n->reading && n->reading <= level) || !n->ring.memory ||
	    *n->ring.head == notes_known(n))
		return;
	n->reading = level + 1;
	cpu_barrier();
	look_once(n, p, node, ticks);
	cpu_barrier();
	n->reading = 0;
}

/* ---- the end */

/* Room in the file for records of 16,000 nodes, for the time when the file cannot grow. */
#define RESERVED_ROOM (1u << 20)

void notes_rest(struct notes *n, struct process *p, struct zprof_node *root)
{
	if (!n->ring.memory || sys_forbidden)
		return;
	ran_count_time(n);
	ran_charge_unseen(n, p, NULL);
	away_charge_queued(n, p, root);
	happened_end_ring(n, p);
}

void notes_outlast(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct zprof_section *room;

	n->sampling->first_period_ns = n->sampling->period_ns;
	if (!n->ring.memory || ring_is_timers(&n->ring))
		return;
	room = file_section(p, ZPROF_SECTION_SAMPLES, n->record->id, RESERVED_ROOM);
	if (room)
		n->section = room;
	if (!notes_will_end(n))
		return;
	n->reading = 1;
	cpu_barrier();
	series_go_on(n, p, node);
	cpu_barrier();
	n->reading = 0;
}

void notes_end(struct notes *n, struct process *p, struct zprof_node *node, bool at_rest)
{
	n->ended = true;
	n->at_rest = at_rest;
	notes_look(n, p, node, 0, 0);
	happened_end_ring(n, p);
	series_end(n);
}
