/* SPDX-License-Identifier: MIT */
/* ran.c - see ran.h. */
#include "preload/sample/ran.h"

#include "preload/base/cpu.h"
#include "preload/base/sys.h"
#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/profile/losses.h"
#include "preload/code/module.h"
#include "preload/sample/charged.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/tree/tree.h"

#include <time.h>

void ran_begin_ring(struct notes *n)
{
	n->ran.noted_ns = 0;
	n->ran.lost = false;
	n->ran.after_full = false;
	n->ran.in_full_ring = NULL;
	n->ran.full_until = NULL;
}

/* ---- the time that a sample stands for */

uint64_t ran_see_time(struct notes *n)
{
	uint64_t now = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID), passed = now - n->ran.seen_ns;

	n->record->looked_ns += passed;
	n->ran.seen_ns = now;
	return passed;
}

/*
 * The CPU time cannot be asked for if the thread has ended, or once system calls are forbidden. Then
 * `left_ns`, the CPU time that no sample stands for yet, begins at UINT64_MAX: however many samples
 * are subtracted, it stays in the upper half, which is_unknown() recognizes.
 */
void ran_count_time(struct notes *n)
{
	if (n->ended || sys_forbidden)
		n->ran.left_ns = UINT64_MAX;
	else
		n->ran.left_ns += ran_see_time(n);
}

static bool is_unknown(uint64_t ns)
{
	return ns > UINT64_MAX / 2;
}

/*
 * The longest time that a sample may stand for without a gap before it. A timer's may be long: the
 * kernel checks a timer only at its clock's ticks, and often another thread is running then.
 */
static uint64_t longest(const struct ring *ring)
{
	return ring_is_timers(ring) ? 32 * ring->period_ns : ring->period_ns + ring->period_ns / 2;
}

/*
 * The CPU time that a sample stands for: the time since the sample before, except
 *
 *   - if a machine around this one has taken the processor: the kernel's clock of samples goes on
 *     during that time, and the clock of CPU time does not. So the time is at most left_ns;
 *   - for the first sample of a timer, which comes at some tick. It stands for one tick, and so
 *     makes up for threads that end before their first sample;
 *   - for the first sample after a full ring has been read. The difference between the two clocks
 *     since the latest sample lies before that look, so the sample stands for one period at most;
 *   - for the first sample after a pause. It stands for the time since the pause ended.
 */
static uint64_t time_of(struct notes *n, const struct ring_note *note)
{
	struct ran *r = &n->ran;
	uint64_t ns = note->cpu_ns > r->noted_ns ? note->cpu_ns - r->noted_ns : 0;
	uint64_t period = n->ring.period_ns;
	bool first = !r->noted_ns;

	r->noted_ns = note->cpu_ns;
	if (r->after_full && ns > period)
		ns = period;
	r->after_full = false;
	if (ns > r->left_ns)
		ns = r->left_ns;
	if (ring_is_timers(&n->ring) && first && ns < period)
		ns = period;
	r->left_ns -= ns < r->left_ns ? ns : r->left_ns;
	return ns;
}

void ran_pass_over(struct notes *n)
{
	if (!is_unknown(n->ran.left_ns))
		n->ran.left_ns = 0;
}

/* ---- time that no sample stands for */

/*
 * Counts CPU time for which samples stand. If the thread's clock cannot be asked, only samples tell
 * how much CPU time there was.
 */
static void count_sampled(struct notes *n, uint64_t ns)
{
	if (is_unknown(n->ran.left_ns))
		n->record->looked_ns += ns;
	n->record->sampled_ns += ns;
	n->sampling->sampled_ns += ns;
}

/*
 * Charges `node` with CPU time for which samples did not come or were not noted; NULL: counts that
 * time as not seen.
 */
static void charge_missing(struct notes *n, struct process *p, struct zprof_node *node, uint64_t ns)
{
	struct zprof_samples *record = charged_record(n, p, node);

	if (record)
		charged_user(n, record, ns, ring_at_most(&n->ring, ns / n->ring.period_ns));
	else
		n->record->unseen_ns += ns;
}

struct zprof_node *ran_place_of_gap(const struct notes *n, struct zprof_node *node)
{
	if (n->ran.lost)
		return n->ran.in_full_ring;
	return n->ran.within == node && n->ring.by == ZPROF_SAMPLER_KERNEL ? node : NULL;
}

struct zprof_node *ran_place_since(const struct notes *n, struct zprof_node *node, bool *sure)
{
	*sure = true;
	if (!node || !n->alone || n->ended || n->reading != 1)
		return node;
	if (n->ran.within)
		node = n->ran.within;
	*sure = node == n->comes_from;
	return node;
}

struct zprof_node *ran_place_of_rest(const struct notes *n, struct zprof_node *node)
{
	bool sure;
	struct zprof_node *place = ran_place_since(n, node, &sure);

	return sure || n->ran.lost ? ran_place_of_gap(n, place) : NULL;
}

/*
 * Splits the gap (ran.h) off the time of a sample, and returns the rest: one period, or all of `ns`
 * if there is no gap. The node in which the gap lies is charged with it. If that node is not
 * certain, a virtual machine's host may have taken some of the gap. So the gap goes back to
 * left_ns, and the end of the look finds out how much of it was CPU time without samples. `node` is
 * the sample's, NULL if that is not certain.
 */
static uint64_t split_gap_off(struct notes *n, struct process *p, struct zprof_node *node,
			      uint64_t ns)
{
	uint64_t period = n->ring.period_ns, gap = ns - period;
	struct zprof_node *place;

	if (ns <= (n->ran.lost ? period : longest(&n->ring)))
		return ns;
	place = ran_place_of_gap(n, node);
	if (place || ring_is_timers(&n->ring) || is_unknown(n->ran.left_ns)) {
		count_sampled(n, gap);
		charge_missing(n, p, place, gap);
		if (place && place != n->ran.full_until && n->ran.lost)
			charged_unsure(n, p, place, n->ran.full_until, gap,
				       ring_at_most(&n->ring, gap / period));
	} else {
		n->ran.left_ns += gap;
		n->ran.gap = true;
	}
	return period;
}

void ran_in_silence(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct ran *r = &n->ran;
	bool sure;

	/* The next sample tells how long the ring was silent. */
	if (ring_is_timers(&n->ring) || is_unknown(r->left_ns)) {
		r->in_full_ring = node ? ran_place_since(n, node, &sure) : NULL;
		r->full_until = node && !sure ? n->comes_from : r->in_full_ring;
		return;
	}
	/*
	 * No hook event has come since the latest sample, so all time since was spent in `node`, or
	 * in one place of it and its callers.
	 */
	if (node) {
		node = ran_place_since(n, node, &sure);
		count_sampled(n, r->left_ns);
		charge_missing(n, p, node, r->left_ns);
		if (!sure)
			charged_unsure(n, p, node, n->comes_from, r->left_ns,
				       ring_at_most(&n->ring, r->left_ns / n->ring.period_ns));
	}
	n->ring.taken += ring_at_most(&n->ring, r->left_ns / n->ring.period_ns);
	r->noted_ns += r->left_ns;
	r->left_ns = 0;
	r->after_full = true;
}

void ran_charge_unseen(struct notes *n, struct process *p, struct zprof_node *node)
{
	if (is_unknown(n->ran.left_ns) || n->ran.left_ns <= longest(&n->ring))
		return;
	n->record->sampled_ns += n->ran.left_ns;
	charge_missing(n, p, node, n->ran.left_ns);
	n->ran.left_ns = 0;
}

void ran_end_look(struct notes *n, struct process *p)
{
	if (n->ran.gap)
		ran_charge_unseen(n, p, NULL);
	n->ran.gap = false;
	n->ran.within = NULL;
}

/* ---- a sample */

bool ran_is_hooks(const struct process *p, uintptr_t ip)
{
	const uintptr_t *slot;

	if (sampling_is_ours(p->sampling, ip))
		return true;
	if (!module_find(p, ip))
		return false;
	slot = cpu_jump_slot(ip);
	return slot && sampling_is_ours(p->sampling, *slot);
}

static bool is_below(const struct process *p, const struct zprof_node *caller,
		     const struct zprof_node *node)
{
	while (node != caller && node->parent)
		node = node_at(p->file->base, node->parent);
	return node == caller;
}

/*
 * A sample in a hook is the look's node's. n->place is not called by a hook in a signal handler, whose
 * zone stack is another.
 *
 * No zone has begun since the event before, so zones that an earlier sample has ruled out are gone,
 * and the zone that the next event comes from is open.
 */
struct zprof_node *ran_place(const struct notes *n, const struct process *p,
			     struct zprof_node *node, const struct ring_note *note, bool *sure)
{
	*sure = true;
	if (!n->place || !n->alone || ran_is_hooks(p, note->ip))
		return node;
	*sure = false;
	if (n->reading != 1 || n->ended)
		return node;
	if (note->sp)
		node = n->place(node, note, sure);
	if (*sure)
		return node;
	if (n->ran.within && is_below(p, n->ran.within, node))
		node = n->ran.within;
	*sure = node == n->comes_from;
	return node;
}

/*
 * Whether the place of a sample tells where the thread goes on. Where functions end without a hook, a
 * sample in a hook does not: that hook may be the next event's.
 */
static bool tells_place(const struct notes *n, const struct process *p,
			const struct ring_note *note, bool sure)
{
	return sure && !(n->alone && ran_is_hooks(p, note->ip));
}

/*
 * Charges a sample to the part of the record that its place says. What keeps the places of samples is
 * not called by a hook in a signal handler, which may have interrupted it.
 */
static void charge(struct notes *n, struct process *p, struct zprof_samples *record,
		   const struct ring_note *note, uint64_t ns, bool sure)
{
	if (ran_is_hooks(p, note->ip)) {
		charged_hook(record, ns);
		return;
	}
	if (!sure)
		charged_unsure(n, p, node_at(p->file->base, record->node), n->comes_from, ns, 1);
	if (note->in_kernel)
		charged_kernel(n, record, ns);
	else
		charged_user(n, record, ns, 1);
	if (n->reading != 1)
		return;
	inside_found(&n->inside, p, n->record->id, record->node, note, ns);
	chains_found(&n->chains, p, n->record->id, node_at(p->file->base, record->node), note, ns,
		     sure && !n->ended);
	if (n->found)
		n->found(n->whom, p, record->node, note->ip, ns);
}

/*
 * A sample has come, so the timer's signal reaches the thread: the thread no longer counts as not
 * sampled.
 */
static void hear(struct notes *n, struct process *p)
{
	if (n->ran.deaf)
		losses_count(p, ZPROF_LOSS_SAMPLERS, (uint64_t)-1);
	n->ran.deaf = false;
}

void ran_sample(struct notes *n, struct process *p, struct zprof_node *node,
		const struct ring_note *note)
{
	uint64_t ns = time_of(n, note);
	struct zprof_samples *record;
	bool sure;

	n->ring.taken += ring_at_most(&n->ring, 1);
	if (!node)
		return;
	node = ran_place(n, p, node, note, &sure);
	ns = split_gap_off(n, p, sure ? node : NULL, ns);
	hear(n, p);
	count_sampled(n, ns);
	n->ran.lost = false;
	n->ran.in_full_ring = NULL;
	if (tells_place(n, p, note, sure))
		n->ran.within = node;
	record = charged_record(n, p, node);
	if (record)
		charge(n, p, record, note, ns, sure);
}
