/* SPDX-License-Identifier: MIT */
/* away.c - see away.h. */
#include "preload/sample/away.h"

#include "preload/base/sys.h"
#include "preload/profile/losses.h"
#include "preload/sample/charged.h"
#include "preload/sample/counted.h"
#include "preload/sample/happened.h"
#include "preload/sample/ring.h"
#include "preload/sample/sampling.h"
#include "preload/sample/waits.h"

#include <time.h>

/*
 * The account (away.h) begins anew after so much elapsed time. Time in which a virtual machine was
 * stopped is elapsed time but no CPU time, and so looks like an absence; in a short account there
 * is little of such time.
 */
#define SETTLED_NS 10000000u

/* How often the counts are asked for again if the thread loses the processor in between. */
#define MOST_READINGS 8

/* ---- what notes tell */

void away_left(struct notes *n, const struct ring_note *note)
{
	n->away.since_ns = note->time_ns;
	n->away.preempted = note->kind == RING_LOST_IT;
	if (n->waits)
		waits_left(n->waits, note->time_ns);
}

static void charge_absence(struct notes *n, struct process *p, struct zprof_samples *record,
			   uint64_t ns)
{
	struct away *a = &n->away;

	a->told_ns += ns;
	a->told_waits += !a->preempted;
	a->told_preemptions += a->preempted;
	if (!record)
		return;
	happened_switches(n, p, record->node, 1);
	if (a->preempted) {
		charged_preemption(record, ns, 1);
		return;
	}
	charged_wait(n, record, ns, 1);
	if (n->waits)
		waits_charge(n->waits, p, record->node, ns);
}

void away_back(struct notes *n, struct process *p, struct zprof_node *node, uint64_t time_ns)
{
	struct zprof_samples *record = charged_record(n, p, node);
	uint64_t since = n->away.since_ns;

	n->away.since_ns = 0;
	/* else the thread left before the account began */
	if (since && since >= n->away.from.elapsed_ns)
		charge_absence(n, p, record, time_ns - since);
	if (n->waits)
		waits_back(n->waits, time_ns);
}

void away_unknown(struct notes *n)
{
	n->away.since_ns = 0;
	if (n->waits)
		waits_unknown(n->waits);
}

void away_interrupted(struct notes *n)
{
	n->away.since_ns = 0;
	n->away.missing = true;
}

/* ---- what the kernel counts beside */

/*
 * The kernel's counts of the calling thread. The elapsed time and the counts of absences are read
 * until they are of one moment: an absence is in both, or in neither. CPU time is read last,
 * because the kernel often takes the processor away as it is asked for CPU time.
 */
static struct away_account account_now(void)
{
	struct away_account now, before;
	int readings = 0;

	counted_switches(&now.waits, &now.preemptions);
	do {
		before = now;
		now.elapsed_ns = sys_clock_ns(CLOCK_MONOTONIC);
		counted_switches(&now.waits, &now.preemptions);
	} while (now.waits + now.preemptions != before.waits + before.preemptions &&
		 ++readings < MOST_READINGS);
	now.cpu_ns = sys_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	return now;
}

void away_begin(struct notes *n)
{
	n->away = (struct away){.since_ns = 0};
	if (!sys_forbidden)
		n->away.from = account_now();
}

void away_take_account(struct notes *n, struct away_account *now)
{
	if (sys_forbidden)
		n->away.missing = false; /* the counts cannot be asked for any more */
	else if (!n->ended)
		*now = account_now();
}

void away_settle(struct notes *n, uint64_t time_ns)
{
	if (time_ns < n->away.from.elapsed_ns + SETTLED_NS || sys_forbidden || n->ended)
		return;
	n->away = (struct away){.from = account_now()};
}

/* ---- absences that no note has told of */

static uint64_t beyond(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/*
 * The time of so many absences, each as long as the average of the `noted` ones, but `most` in all
 * at most.
 */
static uint64_t as_noted(uint64_t noted_ns, uint64_t noted, uint64_t absences, uint64_t most)
{
	unsigned __int128 ns = (unsigned __int128)noted_ns / noted * absences;

	return ns < most ? (uint64_t)ns : most;
}

/*
 * So many waits and preemptions took `ns` together. Returns how much of `ns` is the waits'. Each
 * absence is weighted with the average of the node's noted absences of its kind. If the node has
 * noted absences of one kind only, absences of this kind are taken to be as long as their average,
 * and the other kind gets the rest.
 */
static uint64_t waits_part(const struct zprof_samples *record, uint64_t ns, uint64_t waits,
			   uint64_t preemptions)
{
	unsigned __int128 of_waits = waits, of_preemptions = preemptions;

	if (waits && preemptions && !record->waits != !record->preemptions) {
		if (record->waits)
			return as_noted(record->waited_ns, record->waits, waits, ns);
		return ns - as_noted(record->preempted_ns, record->preemptions, preemptions, ns);
	}
	if (record->waits)
		of_waits *= 1 + record->waited_ns / record->waits;
	if (record->preemptions)
		of_preemptions *= 1 + record->preempted_ns / record->preemptions;
	return (uint64_t)(ns * of_waits / (of_waits + of_preemptions));
}

void away_make_up(struct notes *n, struct process *p, struct zprof_node *node,
		  const struct away_account *now)
{
	struct zprof_samples *record = charged_record(n, p, node);
	const struct away *a = &n->away;
	const struct away_account *from = &a->from;
	uint64_t ns, waits, preemptions, waited;

	if (!away_is_known(now)) {
		losses_count(p, ZPROF_LOSS_WAITS, !n->at_rest);
		return;
	}
	ns = beyond(now->elapsed_ns - from->elapsed_ns, now->cpu_ns - from->cpu_ns + a->told_ns);
	waits = beyond(now->waits - from->waits, a->told_waits);
	preemptions = beyond(now->preemptions - from->preemptions, a->told_preemptions);
	n->away = (struct away){.from = *now};
	if (!record || !(waits + preemptions))
		return;
	waited = waits_part(record, ns, waits, preemptions);
	charged_wait(n, record, waited, waits);
	charged_preemption(record, ns - waited, preemptions);
	happened_switches(n, p, record->node, waits + preemptions);
}

/* ---- a timer */

void away_charge_queued(struct notes *n, struct process *p, struct zprof_node *node)
{
	struct zprof_samples *record;
	uint64_t now;

	if (!n->ring.memory || !ring_is_timers(&n->ring) || !n->sampling->exact)
		return;
	record = charged_record(n, p, node);
	now = sys_forbidden || n->ended ? 0 : counted_queue_ns();
	if (record && now > n->away.queued_ns)
		charged_preemption(record, now - n->away.queued_ns, 0);
	if (now)
		n->away.queued_ns = now;
}
