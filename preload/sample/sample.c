/* SPDX-License-Identifier: MIT */
/* sample.c - see sample.h. */
#include "preload/sample/sample.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/clock/tick.h"
#include "preload/process/options.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/profile/timebase.h"
#include "preload/code/module.h"
#include "preload/tree/tree.h"
#include "preload/sample/signal.h"
#include "preload/sample/timer.h"

#include <elf.h>
#include <errno.h>
#include <time.h>

#define SECOND_NS 1000000000u
/* How long a process is sampled more often, and how often at most. */
#define FIRST_NS        100000000u
#define FIRST_RATE      5
#define LEAST_PERIOD_NS 100000u
/* Of a sample's price, between two. */
#define PRICES       50
#define PRICES_FIRST 10

/*
 * Of a ring, in bytes, where what is waited for is to be told: a wait takes 32. But of so many threads
 * at a time alone: a user's memory for rings is limited (perf_event_mlock_kb).
 */
#define WAITS_ROOM    16384u
#define ROOMY_AT_ONCE 32u

/* ---- a process */

#define TRIALS 5
#define LOOKS  20000

/* How long it takes that another note is written; 0: none is. */
static uint64_t await_note(const struct ring *ring)
{
	uint64_t seen = *ring->head, before, now = tick_now();
	uint32_t looks = 0;

	if (ring->by == ZPROF_SAMPLER_TIMER)
		return timer_try(ring) ? tick_now() - now : 0;
	do {
		before = now;
		now = tick_now();
	} while (*ring->head == seen && looks++ < LOOKS);
	return *ring->head == seen ? 0 : tick_now() - before;
}

/*
 * What an interrupt takes shows as a gap in a loop that does nothing but read the clock. The middle
 * of a few: others interrupt too.
 */
static uint64_t measure_price(const struct ring *ring)
{
	uint64_t gaps[TRIALS], gap;
	uint32_t n = 0, i;

	while (n < TRIALS && (gap = await_note(ring))) {
		for (i = n++; i > 0 && gaps[i - 1] > gap; i--)
			gaps[i] = gaps[i - 1];
		gaps[i] = gap;
	}
	return n ? gaps[n / 2] : 0;
}

static uint64_t at_least(uint64_t value, uint64_t least)
{
	return value < least ? least : value;
}

static void choose_periods(struct sampling *g, uint32_t rate)
{
	uint64_t period = SECOND_NS / rate;

	if (g->by == ZPROF_SAMPLER_TIMER) {
		g->first_period_ns = g->period_ns = at_least(period, timer_tick_ns());
		return;
	}
	g->period_ns = at_least(at_least(period, LEAST_PERIOD_NS), g->price_ns * PRICES);
	g->first_period_ns =
	    at_least(at_least(period / FIRST_RATE, LEAST_PERIOD_NS), g->price_ns * PRICES_FIRST);
}

/* The first byte of the library, by the linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));

/* Its instructions, as its own program header names them. */
static void find_code(struct sampling *g)
{
	const Elf64_Ehdr *file = (const Elf64_Ehdr *)__ehdr_start;
	const Elf64_Phdr *part = (const Elf64_Phdr *)(__ehdr_start + file->e_phoff);
	int i;

	for (i = 0; i < file->e_phnum; i++, part++)
		if (part->p_type == PT_LOAD && part->p_flags & PF_X) {
			g->code = (uintptr_t)__ehdr_start + part->p_vaddr;
			g->code_bytes = part->p_memsz;
		}
}

static void tell(struct process *p)
{
	struct sampling *g = p->sampling;

	p->header->sampler = g->by;
	p->header->sample_price_ns = (uint32_t)g->price_ns;
	p->header->sample_period_ns = (uint32_t)g->period_ns;
}

static bool is_not_permitted(long result)
{
	return result == -EACCES || result == -EPERM;
}

void sampling_choose(struct process *p)
{
	struct sampling *g = p->sampling;
	struct ring ring = {.head = &ring_silence, .room = RING_ROOM};
	long r;

	if (!p->options->sample || p->clock == ZPROF_CLOCK_FAKE)
		return;
	find_code(g);
	r = ring_open(&ring, LEAST_PERIOD_NS, 0, ZPROF_SAMPLER_KERNEL);
	if (is_not_permitted(r))
		r = ring_open(&ring, LEAST_PERIOD_NS, 0, ZPROF_SAMPLER_USER);
	if (r) {
		p->header->sampler_error = (uint32_t)-r;
		r = ring_open(&ring, SECOND_NS, 0, ZPROF_SAMPLER_TIMER);
	}
	if (r)
		return;
	g->by = ring.by;
	g->price_ticks = measure_price(&ring);
	ring_close(&ring);
}

void sampling_begin(struct process *p)
{
	struct sampling *g = p->sampling;

	if (p->hz)
		g->price_ns = g->price_ticks * SECOND_NS / p->hz;
	g->exact = p->header->mode == ZPROF_MODE_EXACT;
	if (g->by != ZPROF_SAMPLER_NONE)
		choose_periods(g, p->options->sample);
	tell(p);
}

void sampling_inherit(struct process *p, const struct process *from)
{
	*p->sampling = *from->sampling;
	p->sampling->roomy = 0;
	p->header->sampler_error = from->header->sampler_error;
	timers_forget();
	tell(p);
}

/* ---- a thread */

static uint64_t cpu_now(void)
{
	return sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static uint64_t period_now(const struct sampling *g)
{
	return g->sampled_ns < FIRST_NS ? g->first_period_ns : g->period_ns;
}

/*
 * Nobody slows a ring down in a long stretch without a hook. So one that is quick ends by itself, at
 * twice the samples of the time that is sampled quickly.
 */
static uint32_t most_samples(const struct sampling *g, uint64_t period_ns)
{
	return period_ns < g->period_ns ? (uint32_t)(2 * FIRST_NS / period_ns) : 0;
}

/* Of a clock's times others' time must be taken off, and a timer does not tell of it. */
static bool must_ask(const struct sampler *s)
{
	return s->ring.by == ZPROF_SAMPLER_TIMER && s->sampling->exact;
}

/*
 * By ring_open() or ring_reopen(). A program that has given up its rights since may still be looked
 * at outside of the kernel.
 */
static bool begin_ring(struct sampler *s, uint64_t period_ns,
		       long (*open)(struct ring *, uint64_t, uint32_t, enum zprof_sampler))
{
	uint32_t most = most_samples(s->sampling, period_ns);
	long r = open(&s->ring, period_ns, most, s->sampling->by);

	if (s->sampling->by == ZPROF_SAMPLER_KERNEL && is_not_permitted(r))
		r = open(&s->ring, period_ns, most, ZPROF_SAMPLER_USER);
	s->period_ns = period_ns;
	s->most = most;
	s->taken = 0;
	s->cpu_ns = 0;
	s->left_ns = 0;
	s->lost = false;
	s->in_full_ring = NULL;
	s->seen_ns = cpu_now();
	away_begin(&s->away);
	if (must_ask(s))
		away_ask(&s->away, NULL);
	return r == 0;
}

static void set_roomy(struct sampler *s, bool roomy)
{
	if (roomy != s->roomy)
		__atomic_add_fetch(&s->sampling->roomy, roomy ? 1 : (uint32_t)-1, __ATOMIC_RELAXED);
	s->roomy = roomy;
	s->ring.room = roomy ? WAITS_ROOM : RING_ROOM;
}

/* With more room if what is waited for is to be told, as far as that is to be had. */
static bool begin_first_ring(struct sampler *s)
{
	uint64_t period = period_now(s->sampling);

	set_roomy(s, s->waits && s->sampling->roomy < ROOMY_AT_ONCE);
	if (begin_ring(s, period, ring_open))
		return true;
	if (!s->roomy)
		return false;
	set_roomy(s, false);
	return begin_ring(s, period, ring_open);
}

bool sampler_begin(struct sampler *s, struct process *p, struct zprof_thread *record)
{
	*s = (struct sampler){.sampling = p->sampling,
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
	if (s->waits && s->ring.by == ZPROF_SAMPLER_KERNEL)
		waits_begin(s->waits, s->roomy);
	s->deaf = s->ring.by == ZPROF_SAMPLER_TIMER && signal_is_blocked();
	losses_count(p, ZPROF_LOSS_SAMPLERS, s->deaf);
	return true;
}

void sampler_stop(struct sampler *s, struct process *p)
{
	if (!s->ring.memory || s->ring.by != ZPROF_SAMPLER_TIMER)
		return;
	timer_stop(&s->ring);
	losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/* ---- where a thread was */

static bool is_ours(const struct sampling *g, uintptr_t address)
{
	return address - g->code < g->code_bytes;
}

/* In a hook, or in the program's stub that jumps to one (a procedure linkage table's). */
static bool is_hooks(const struct process *p, uintptr_t ip)
{
	const uintptr_t *slot;

	if (is_ours(p->sampling, ip))
		return true;
	if (!module_find(p, ip))
		return false;
	slot = cpu_jump_slot(ip);
	return slot && is_ours(p->sampling, *slot);
}

/* ---- records */

#define FIRST_SECTION ZPROF_GRANULE

static struct zprof_samples *new_record(struct sampler *s, struct process *p)
{
	struct zprof_section *section = s->section;
	struct zprof_samples *record;

	if (!section || section->used + sizeof(*record) > section->bytes) {
		section = file_section(p, ZPROF_SECTION_SAMPLES, s->record->id,
				       section ? 2 * section->bytes : FIRST_SECTION);
		if (!section)
			return NULL;
		s->section = section;
	}
	record = (struct zprof_samples *)((char *)section + section->used);
	section->used += sizeof(*record);
	return record;
}

/* NULL: no room; the loss is counted. */
static struct zprof_samples *record_of(struct sampler *s, struct process *p,
				       struct zprof_node *node)
{
	struct twin *t = twin_of(node);

	struct zprof_samples *record = NULL;

	if (t->samples)
		return samples_at(p->file->base, t->samples);
	record = new_record(s, p);
	if (!record) {
		losses_count(p, ZPROF_LOSS_SAMPLES, 1);
		return NULL;
	}
	record->node = node_reference(p->file->base, node);
	t->samples = (uint32_t)(((char *)record - p->file->base) / sizeof(*record));
	return record;
}

/* ---- what has arrived */

/* How many samples were taken in so much time without being told of. */
static uint32_t samples_in(const struct sampler *s, uint64_t ns)
{
	uint64_t n = ns / s->period_ns;

	return (uint32_t)(s->most && n > s->most - s->taken ? s->most - s->taken : n);
}

/* CPU time that nobody knows: UINT64_MAX, less what has been taken off for samples since. */
static bool is_unknown(uint64_t ns)
{
	return ns > UINT64_MAX / 2;
}

/* Time that no sample stands for, in NODE; NULL: nobody knows where. */
static void charge_missing(struct sampler *s, struct process *p, struct zprof_node *node,
			   uint64_t ns)
{
	struct zprof_samples *record = node ? record_of(s, p, node) : NULL;

	if (record) {
		s->record->program_ns += ns;
		record->user_ns += ns;
		record->user_samples += samples_in(s, ns);
	} else {
		s->record->unseen_ns += ns;
	}
}

/* A timer is looked after at the kernel's ticks, and it may often be others that run then. */
static uint64_t longest(const struct sampler *s)
{
	return s->ring.by == ZPROF_SAMPLER_TIMER ? 32 * s->period_ns
						 : s->period_ns + s->period_ns / 2;
}

/*
 * The CPU time that a sample stands for: what has passed since the one before. Not so
 *
 *   - where the machine around this one had taken the processor away. The kernel's clock of samples
 *     goes on meanwhile, that of CPU time does not;
 *   - for the first sample of a timer, which comes at some tick. It stands for one, and so in sum
 *     for threads that end before one comes.
 */
static uint64_t time_of(struct sampler *s, const struct ring_note *note)
{
	uint64_t ns = note->cpu_ns > s->cpu_ns ? note->cpu_ns - s->cpu_ns : 0;

	if (s->ring.by == ZPROF_SAMPLER_TIMER && !s->cpu_ns && ns < s->period_ns)
		ns = s->period_ns;
	s->cpu_ns = note->cpu_ns;
	if (ns > s->left_ns && s->ring.by != ZPROF_SAMPLER_TIMER)
		ns = s->left_ns;
	s->left_ns -= ns < s->left_ns ? ns : s->left_ns;
	return ns;
}

static void charge_sample(struct sampler *s, struct process *p, struct zprof_node *node,
			  const struct ring_note *note)
{
	uint64_t ns = time_of(s, note);
	struct zprof_samples *record;

	if (s->deaf) { /* not any more */
		losses_count(p, ZPROF_LOSS_SAMPLERS, (uint64_t)-1);
		s->deaf = false;
	}
	s->record->sampled_ns += ns;
	s->sampling->sampled_ns += ns;
	if (ns > longest(s)) {
		charge_missing(s, p, s->lost ? s->in_full_ring : NULL, ns - s->period_ns);
		ns = s->period_ns;
	}
	s->lost = false;
	s->in_full_ring = NULL;
	record = record_of(s, p, node);
	if (!record)
		return;
	if (is_hooks(p, note->ip)) {
		record->hook_samples++;
		record->hook_ns += ns;
		return;
	}
	s->record->program_ns += ns;
	if (s->found && s->reading == 1) /* not in a handler that interrupted whom it is told */
		s->found(s->whom, p, record->node, note->ip, ns);
	if (note->in_kernel) {
		record->kernel_samples++;
		record->kernel_ns += ns;
	} else {
		record->user_samples++;
		record->user_ns += ns;
	}
}

/* The thread is on a processor again; it may have waited, in NODE. */
static void take_back(struct sampler *s, struct process *p, struct zprof_node *node,
		      uint64_t time_ns)
{
	struct zprof_samples *record = node ? record_of(s, p, node) : NULL;
	uint64_t waits = record ? record->waits : 0, waited = record ? record->waited_ns : 0;

	away_back(&s->away, record, time_ns);
	if (record)
		s->record->program_ns += record->waited_ns - waited;
	if (s->waits && record && record->waits != waits)
		waits_charge(s->waits, p, record->node, record->waited_ns - waited);
	if (s->waits)
		waits_back(s->waits, time_ns);
}

static void take(struct sampler *s, struct process *p, struct zprof_node *node,
		 const struct ring_note *note)
{
	switch (note->kind) {
	case RING_SAMPLE:
		s->taken += s->most && s->taken < s->most;
		if (node)
			charge_sample(s, p, node, note);
		else
			time_of(s, note);
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

/*
 * The ring got full, in NODE: nobody could have been told of what was lost before there was room
 * again, so the time since the latest sample was all spent there. Where the thread's CPU time
 * cannot be asked for, and with a timer, the next sample tells how long that was. In a pause it is
 * nobody's.
 */
static void charge_untold(struct sampler *s, struct process *p, struct zprof_node *node)
{
	if (s->ring.by == ZPROF_SAMPLER_TIMER || is_unknown(s->left_ns)) {
		s->in_full_ring = node;
		return;
	}
	if (node) {
		s->record->sampled_ns += s->left_ns;
		s->sampling->sampled_ns += s->left_ns;
		charge_missing(s, p, node, s->left_ns);
	}
	s->taken += samples_in(s, s->left_ns);
	s->cpu_ns += s->left_ns;
	s->left_ns = 0;
}

/* What no sample has come for, if it is much. */
static void charge_unseen(struct sampler *s)
{
	if (is_unknown(s->left_ns) || s->left_ns <= longest(s))
		return;
	s->record->sampled_ns += s->left_ns;
	s->record->unseen_ns += s->left_ns;
	s->left_ns = 0;
}

/* The first tenth of a second is over, or the ring is soon at its end. */
static bool is_spent(const struct sampler *s)
{
	return s->period_ns != period_now(s->sampling) ||
	       (s->most && s->taken > s->most - s->most / 4);
}

static void begin_anew(struct sampler *s, struct process *p)
{
	charge_unseen(s);
	if (!begin_ring(s, period_now(s->sampling), ring_reopen))
		losses_count(p, ZPROF_LOSS_SAMPLERS, 1);
}

/*
 * The CPU time until now that no sample has stood for. Of a thread that has ended nobody knows it,
 * and none may be asked for after a restriction of system calls.
 */
static void count_time(struct sampler *s)
{
	uint64_t now;

	if (s->away.ended || sys_forbidden) {
		s->left_ns = UINT64_MAX;
		return;
	}
	now = cpu_now();
	s->left_ns += now - s->seen_ns;
	s->seen_ns = now;
}

void sampler_look(struct sampler *s, struct process *p, struct zprof_node *node, uint32_t level)
{
	struct ring_note note = {.time_ns = 0};

	if ((s->reading && s->reading <= level) || !s->ring.memory || *s->ring.head == s->ring.tail)
		return;
	s->reading = level + 1;
	cpu_barrier();
	count_time(s);
	do {
		ring_read(&s->ring, &note);
		take(s, p, s->before && note.time_ns < s->before_ns ? s->before : node, &note);
	} while (note.kind != RING_NOTHING);
	s->before = NULL;
	timebase_alive(p, note.time_ns);
	if (ring_is_full(&s->ring)) {
		charge_untold(s, p, node);
		if (s->ring.by != ZPROF_SAMPLER_TIMER)
			away_make_up(&s->away, p, node ? record_of(s, p, node) : NULL);
	} else if (s->ring.by != ZPROF_SAMPLER_TIMER) {
		away_settle(&s->away, note.time_ns);
	}
	if (must_ask(s))
		away_ask(&s->away, node ? record_of(s, p, node) : NULL);
	ring_done(&s->ring);
	if (!node && !is_unknown(s->left_ns))
		s->left_ns = 0; /* nobody's, as its samples are */
	if (is_spent(s) && !sys_forbidden)
		begin_anew(s, p);
	cpu_barrier();
	s->reading = 0;
}

void sampler_rest(struct sampler *s, struct process *p, struct zprof_node *root)
{
	if (!s->ring.memory || sys_forbidden)
		return;
	count_time(s);
	charge_unseen(s);
	if (must_ask(s))
		away_ask(&s->away, record_of(s, p, root));
}

void sampler_end(struct sampler *s, struct process *p, struct zprof_node *node, bool at_rest)
{
	s->away.ended = true;
	s->away.at_rest = at_rest;
	sampler_look(s, p, node, 0);
	ring_close(&s->ring);
	if (s->waits)
		waits_end(s->waits);
	set_roomy(s, false);
}
