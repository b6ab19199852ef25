/* SPDX-License-Identifier: MIT */
/* ran.c - see ran.h. */
#include "preload/sample/ran.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/module.h"
#include "preload/tree/tree.h"

#include <time.h>

struct zprof_samples *samples_of(struct notes *s, struct process *p, struct zprof_node *node)
{
	struct twin *t = twin_of(node);
	struct zprof_samples *record = NULL;

	if (t->samples)
		return samples_at(p->file->base, t->samples);
	record = file_record(p, &s->section, ZPROF_SECTION_SAMPLES, s->record->id, sizeof(*record));
	if (!record) {
		losses_count(p, ZPROF_LOSS_SAMPLES, 1);
		return NULL;
	}
	record->node = node_reference(p->file->base, node);
	t->samples = (uint32_t)(((char *)record - p->file->base) / sizeof(*record));
	return record;
}

/* ---- the time that a sample stands for */

uint64_t ran_see_time(struct notes *s)
{
	uint64_t now = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID), passed = now - s->seen_ns;

	s->record->looked_ns += passed;
	s->seen_ns = now;
	return passed;
}

/*
 * The CPU time until now that no sample has stood for. It is not known of a thread that has ended,
 * and cannot be asked for after a restriction of system calls.
 */
void ran_count_time(struct notes *s)
{
	if (s->away.ended || sys_forbidden)
		s->left_ns = UINT64_MAX;
	else
		s->left_ns += ran_see_time(s);
}

/* CPU time that is not known: UINT64_MAX, less what has been taken off for samples since. */
static bool is_unknown(uint64_t ns)
{
	return ns > UINT64_MAX / 2;
}

/* The kernel checks a timer at its ticks, and often other threads may be running then. */
static uint64_t longest(const struct notes *s)
{
	return s->ring.by == ZPROF_SAMPLER_TIMER ? 32 * s->period_ns
						 : s->period_ns + s->period_ns / 2;
}

/*
 * The CPU time that a sample stands for: what has passed since the one before, except
 *
 *   - where the machine around this one had taken the processor away: the kernel's clock of samples
 *     goes on meanwhile, that of CPU time does not;
 *   - for the first sample of a timer, which comes at some tick: it stands for one tick, and so
 *     makes up for threads that end before their first sample;
 *   - for the first sample after a full ring has been read: what both clocks differ by since the
 *     latest sample is not of the time after that look. It stands for one period at most;
 *   - for the first sample after a pause: it stands for what has passed since the pause ended.
 */
static uint64_t time_of(struct notes *s, const struct ring_note *note)
{
	uint64_t ns = note->cpu_ns > s->cpu_ns ? note->cpu_ns - s->cpu_ns : 0;
	bool first = !s->cpu_ns;

	s->cpu_ns = note->cpu_ns;
	if (s->after_full && ns > s->period_ns)
		ns = s->period_ns;
	s->after_full = false;
	if (ns > s->left_ns)
		ns = s->left_ns;
	if (s->ring.by == ZPROF_SAMPLER_TIMER && first && ns < s->period_ns)
		ns = s->period_ns;
	s->left_ns -= ns < s->left_ns ? ns : s->left_ns;
	return ns;
}

void ran_pass_over(struct notes *s, const struct ring_note *note)
{
	time_of(s, note);
}

void ran_pass_over_rest(struct notes *s)
{
	if (!is_unknown(s->left_ns))
		s->left_ns = 0;
}

/* ---- charging */

/* In a hook, or in the program's stub that jumps to one (a procedure linkage table's). */
static bool is_hooks(const struct process *p, uintptr_t ip)
{
	const uintptr_t *slot;

	if (sampling_is_ours(p->sampling, ip))
		return true;
	if (!module_find(p, ip))
		return false;
	slot = cpu_jump_slot(ip);
	return slot && sampling_is_ours(p->sampling, *slot);
}

/* How many samples were taken in so much time although no note tells of them. */
static uint32_t samples_in(const struct notes *s, uint64_t ns)
{
	uint64_t n = ns / s->period_ns;

	return (uint32_t)(s->most && n > s->most - s->taken ? s->most - s->taken : n);
}

/* CPU time that samples have told of; where it cannot be asked for, they alone tell it. */
static void count_sampled(struct notes *s, uint64_t ns)
{
	if (is_unknown(s->left_ns))
		s->record->looked_ns += ns;
	s->record->sampled_ns += ns;
	s->sampling->sampled_ns += ns;
}

/* Time that no sample stands for, in NODE; NULL: it is not known where. */
static void charge_missing(struct notes *s, struct process *p, struct zprof_node *node, uint64_t ns)
{
	struct zprof_samples *record = node ? samples_of(s, p, node) : NULL;

	if (record) {
		s->record->program_ns += ns;
		record->user_ns += ns;
		record->user_samples += samples_in(s, ns);
	} else {
		s->record->unseen_ns += ns;
	}
}

struct zprof_node *ran_place_of_gap(const struct notes *s, struct zprof_node *node)
{
	if (s->lost)
		return s->in_full_ring;
	return s->within == node && s->ring.by == ZPROF_SAMPLER_KERNEL ? node : NULL;
}

/*
 * What a sample that stands for NS really stands for: a period, if samples before it did not come, or
 * found no room. The rest is charged where it was spent. Where that is not known, the host may have
 * taken some of it, and the end of the look tells how much CPU time no sample has stood for.
 */
static uint64_t within_period(struct notes *s, struct process *p, struct zprof_node *node,
			      uint64_t ns)
{
	struct zprof_node *place;
	uint64_t missing;

	if (ns <= (s->lost ? s->period_ns : longest(s)))
		return ns;
	place = ran_place_of_gap(s, node);
	missing = ns - s->period_ns;
	if (place || s->ring.by == ZPROF_SAMPLER_TIMER || is_unknown(s->left_ns)) {
		count_sampled(s, missing);
		charge_missing(s, p, place, missing);
	} else {
		s->left_ns += missing;
		s->gap = true;
	}
	return s->period_ns;
}

void ran_charge(struct notes *s, struct process *p, struct zprof_node *node,
		const struct ring_note *note)
{
	uint64_t ns = within_period(s, p, node, time_of(s, note));
	struct zprof_samples *record;

	if (s->deaf) { /* a sample has come, so it is not deaf any more */
		losses_count(p, ZPROF_LOSS_SAMPLERS, (uint64_t)-1);
		s->deaf = false;
	}
	count_sampled(s, ns);
	s->lost = false;
	s->in_full_ring = NULL;
	s->within = node;
	record = samples_of(s, p, node);
	if (!record)
		return;
	if (is_hooks(p, note->ip)) {
		record->hook_samples++;
		record->hook_ns += ns;
		return;
	}
	s->record->program_ns += ns;
	if (s->found && s->reading == 1) /* not in a handler, which may have interrupted found() */
		s->found(s->whom, p, record->node, note->ip, ns);
	if (note->in_kernel) {
		record->kernel_samples++;
		record->kernel_ns += ns;
	} else {
		record->user_samples++;
		record->user_ns += ns;
	}
}

/*
 * The ring got full while NODE was current. No hook has read the ring since, so all the time since
 * the latest sample was spent there. With a timer, and where the thread's CPU time cannot be asked
 * for, the next sample tells how long that was. In a pause the time is charged to no node.
 */
void ran_ring_was_full(struct notes *s, struct process *p, struct zprof_node *node)
{
	if (s->ring.by == ZPROF_SAMPLER_TIMER || is_unknown(s->left_ns)) {
		s->in_full_ring = node;
		return;
	}
	if (node) {
		count_sampled(s, s->left_ns);
		charge_missing(s, p, node, s->left_ns);
	}
	s->taken += samples_in(s, s->left_ns);
	s->cpu_ns += s->left_ns;
	s->left_ns = 0;
	s->after_full = true;
}

void ran_charge_unseen(struct notes *s, struct process *p, struct zprof_node *node)
{
	if (is_unknown(s->left_ns) || s->left_ns <= longest(s))
		return;
	s->record->sampled_ns += s->left_ns;
	charge_missing(s, p, node, s->left_ns);
	s->left_ns = 0;
}
