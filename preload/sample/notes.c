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
#include "preload/sample/ran.h"
#include "preload/sample/signal.h"
#include "preload/sample/timer.h"

#include <time.h>

/*
 * Bytes of a ring that must also tell what is waited for: a wait takes 32. Only so many threads
 * have one at a time, because a user's memory for rings is limited (perf_event_mlock_kb).
 */
#define WAITS_ROOM    16384u
#define ROOMY_AT_ONCE 32u

/* In the file, for contexts that are seen for the first time when it cannot grow: 16,000. */
#define RESERVED_ROOM (1u << 20)

/* ---- beginning */

/* Of a clock's times others' time must be taken off, and a timer does not tell of it. */
static bool must_ask(const struct notes *s)
{
	return s->ring.by == ZPROF_SAMPLER_TIMER && s->sampling->exact;
}

/*
 * By ring_open() or ring_reopen(). A program that has given up its rights since may still be looked
 * at outside of the kernel.
 */
static bool begin_ring(struct notes *s, uint64_t period_ns,
		       long (*open)(struct ring *, uint64_t, uint32_t, enum zprof_sampler))
{
	uint32_t most = sampling_most(s->sampling, period_ns);
	long r = open(&s->ring, period_ns, most, s->sampling->by);

	if (s->sampling->by == ZPROF_SAMPLER_KERNEL && ring_is_refused(r))
		r = open(&s->ring, period_ns, most, ZPROF_SAMPLER_USER);
	s->period_ns = period_ns;
	s->most = most;
	s->taken = 0;
	s->cpu_ns = 0;
	s->lost = false;
	s->after_full = false;
	s->in_full_ring = NULL;
	return r == 0;
}

static void set_roomy(struct notes *s, bool roomy)
{
	if (roomy != s->roomy)
		__atomic_add_fetch(&s->sampling->roomy, roomy ? 1 : (uint32_t)-1, __ATOMIC_RELAXED);
	s->roomy = roomy;
	s->ring.room = roomy ? WAITS_ROOM : RING_ROOM;
}

/* With more room if the ring must also tell what is waited for, and if there is enough memory. */
static bool begin_first_ring(struct notes *s)
{
	uint64_t period = sampling_period(s->sampling);

	set_roomy(s, s->waits && s->sampling->roomy < ROOMY_AT_ONCE);
	if (begin_ring(s, period, ring_open))
		return true;
	if (!s->roomy)
		return false;
	set_roomy(s, false);
	return begin_ring(s, period, ring_open);
}

bool notes_begin(struct notes *s, struct process *p, struct zprof_thread *record)
{
	*s = (struct notes){.sampling = p->sampling,
			    .record = record,
			    .section = s->section,
			    .waits = s->waits,
			    .found = s->found,
			    .whom = s->whom};
	ring_forget(&s->ring);
	if (s->sampling->by == ZPROF_SAMPLER_NONE)
		return true;
	if (sys_forbidden || s->sampling->stopped || !begin_first_ring(s))
		return false;
	ran_see_time(s);
	away_begin(&s->away);
	if (must_ask(s))
		away_ask(&s->away, NULL);
	if (s->waits && s->ring.by == ZPROF_SAMPLER_KERNEL)
		waits_begin(s->waits, s->roomy);
	s->deaf = s->ring.by == ZPROF_SAMPLER_TIMER && signal_is_blocked();
	losses_count(p, ZPROF_LOSS_SAMPLERS, s->deaf);
	return true;
}

void notes_stop(struct notes *s, struct process *p)
{
	if (!s->ring.memory || s->ring.by != ZPROF_SAMPLER_TIMER)
		return;
	timer_stop(&s->ring);
	losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* ---- what has arrived */

/* Less than any absence takes, and more than the two clocks' readings may be apart. */
#define LEAVING_NS 1000u

/* When the clock that hooks read told so many ticks. */
static uint64_t time_of_ticks(const struct process *p, uint64_t ticks)
{
	uint64_t now, ns;

	tick_pair(&now, &ns);
	if (!p->hz || now <= ticks)
		return ns;
	return ns - (uint64_t)((unsigned __int128)(now - ticks) * 1000000000u / p->hz);
}

/* Whether an absence began after TICKS, or is not in the account that this look has asked for. */
static bool is_later(struct notes *s, const struct process *p, const struct ring_note *note,
		     uint64_t ticks)
{
	if (note->kind != RING_LEFT && note->kind != RING_LOST_IT)
		return false;
	if (away_is_known(&s->away) && note->time_ns > s->away.now.elapsed_ns)
		return true;
	if (!s->sampling->exact || !ticks)
		return false;
	if (!s->until_ns)
		s->until_ns = time_of_ticks(p, ticks) - LEAVING_NS;
	return note->time_ns > s->until_ns;
}

/* Takes the next note out of the ring. False: there is none up to HEAD, or before TICKS. */
static bool next_note(struct notes *s, const struct process *p, struct ring_note *note,
		      uint64_t head, uint64_t ticks)
{
	/* (Threads that share thread-local storage may both be here, and the tail be beyond it.) */
	if ((int64_t)(head - s->ring.tail) <= 0)
		return false;
	ring_read(&s->ring, note);
	if (note->kind == RING_NOTHING || is_later(s, p, note, ticks))
		return false;
	ring_done(&s->ring, note);
	return true;
}

/* The thread is on a processor again; it may have waited, in NODE. */
static void take_back(struct notes *s, struct process *p, struct zprof_node *node, uint64_t time_ns)
{
	struct zprof_samples *record = node ? samples_of(s, p, node) : NULL;
	uint64_t waits = record ? record->waits : 0, waited = record ? record->waited_ns : 0;

	away_back(&s->away, record, time_ns);
	if (record)
		s->record->program_ns += record->waited_ns - waited;
	if (s->waits && record && record->waits != waits)
		waits_charge(s->waits, p, record->node, record->waited_ns - waited);
	if (s->waits)
		waits_back(s->waits, time_ns);
}

static void take(struct notes *s, struct process *p, struct zprof_node *node,
		 const struct ring_note *note)
{
	switch (note->kind) {
	case RING_SAMPLE:
		s->taken += s->most && s->taken < s->most;
		if (node)
			ran_charge(s, p, node, note);
		else
			ran_pass_over(s, note);
		break;
	case RING_LEFT:
	case RING_LOST_IT:
		away_left(&s->away, note->time_ns, note->kind == RING_LOST_IT);
		if (s->waits)
			waits_left(s->waits, note->time_ns);
		break;
	case RING_BACK:
		take_back(s, p, node, note->time_ns);
		break;
	case RING_LOST:
		s->lost = true;
		away_unknown(&s->away);
		if (s->waits)
			waits_unknown(s->waits);
		break;
	case RING_NOTHING:
	case RING_OTHER:
		break;
	}
}

/* All samples have been taken that the ring is for: since then the kernel has noted nothing. */
static bool has_ended(const struct notes *s)
{
	return s->most && s->taken == s->most;
}

/* Whether it may be so for what is in the ring. */
static bool may_have_ended(const struct notes *s)
{
	return s->most && s->taken + ring_samples(&s->ring) >= s->most;
}

/* The first tenth of a second is over, or the ring is soon at its end. */
static bool is_spent(const struct notes *s)
{
	return s->period_ns != sampling_period(s->sampling) ||
	       (s->most && s->taken > s->most - s->most / 4);
}

static void begin_anew(struct notes *s, struct process *p, struct zprof_node *node)
{
	ran_charge_unseen(s, p, ran_place_of_gap(s, node));
	away_interrupted(&s->away);
	if (!begin_ring(s, sampling_period(s->sampling), ring_reopen))
		losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* The notes have been read, and this is what the node lacks, if some could not be written. */
static void make_up(struct notes *s, struct process *p, struct zprof_node *node, bool was_full,
		    uint64_t time_ns)
{
	bool silent = was_full || has_ended(s);
	struct zprof_samples *record;

	if (silent)
		ran_ring_was_full(s, p, node);
	if (s->ring.by == ZPROF_SAMPLER_TIMER)
		return;
	if (silent || (s->away.missing && away_is_known(&s->away))) {
		record = node ? samples_of(s, p, node) : NULL;
		s->record->program_ns += away_make_up(&s->away, p, record);
	} else if (*s->ring.head == s->ring.tail) {
		away_settle(&s->away, time_ns);
	}
	/* At first a full ring has room for a note or two, and while this asks, more may be lost. */
	if (silent && !sys_forbidden)
		away_interrupted(&s->away);
}

void notes_look(struct notes *s, struct process *p, struct zprof_node *node, uint32_t level,
		uint64_t ticks)
{
	struct ring_note note = {.time_ns = 0};
	uint64_t head;
	bool full, ask, more;

	if ((s->reading && s->reading <= level) || !s->ring.memory ||
	    *s->ring.head == notes_known(s))
		return;
	s->reading = level + 1;
	cpu_barrier();
	head = *s->ring.head; /* what arrives later is another look's, lest this one never end */
	full = ring_is_full(&s->ring);
	ask = full || s->away.missing || may_have_ended(s);
	away_look(&s->away, false);
	s->until_ns = 0;
	/*
	 * The kernel may run others when it is asked for CPU time. Before that, a full ring has
	 * room again, and a timer's look knows how long others ran until now.
	 */
	if (must_ask(s))
		away_ask(&s->away, node ? samples_of(s, p, node) : NULL);
	more = next_note(s, p, &note, head, ticks);
	away_look(&s->away, ask && s->ring.by != ZPROF_SAMPLER_TIMER);
	ran_count_time(s);
	while (more) {
		take(s, p, s->before && note.time_ns < s->before_ns ? s->before : node, &note);
		more = next_note(s, p, &note, head, ticks);
	}
	s->before = NULL;
	timebase_alive(p, note.time_ns);
	make_up(s, p, node, full, note.time_ns);
	if (!node)
		ran_pass_over_rest(s); /* this time is charged to no node, like its samples */
	if (is_spent(s) && !sys_forbidden && !s->away.ended)
		begin_anew(s, p, node);
	if (s->gap)
		ran_charge_unseen(s, p, NULL);
	s->gap = false;
	s->within = NULL;
	cpu_barrier();
	s->reading = 0;
}

void notes_ask(struct notes *s, struct process *p, struct zprof_node *node)
{
	if (s->ring.memory && must_ask(s))
		away_ask(&s->away, samples_of(s, p, node));
}

void notes_rest(struct notes *s, struct process *p, struct zprof_node *root)
{
	if (!s->ring.memory || sys_forbidden)
		return;
	ran_count_time(s);
	ran_charge_unseen(s, p, NULL);
	notes_ask(s, p, root);
}

void notes_outlast(struct notes *s, struct process *p, struct zprof_node *node)
{
	struct zprof_section *room;

	s->sampling->first_period_ns = s->sampling->period_ns;
	if (!s->ring.memory || s->ring.by == ZPROF_SAMPLER_TIMER)
		return;
	room = file_section(p, ZPROF_SECTION_SAMPLES, s->record->id, RESERVED_ROOM);
	if (room)
		s->section = room;
	if (!notes_will_end(s))
		return;
	s->reading = 1;
	cpu_barrier();
	begin_anew(s, p, node);
	cpu_barrier();
	s->reading = 0;
}

void notes_end(struct notes *s, struct process *p, struct zprof_node *node, bool at_rest)
{
	s->away.ended = true;
	s->away.at_rest = at_rest;
	notes_look(s, p, node, 0, 0);
	ring_close(&s->ring);
	if (s->waits)
		waits_end(s->waits);
	set_roomy(s, false);
}
