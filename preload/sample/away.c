/* SPDX-License-Identifier: MIT */
/* away.c - see away.h. */
#include "preload/sample/away.h"

#include "preload/base/sys.h"
#include "preload/profile/losses.h"
#include "preload/sample/counted.h"

#include <time.h>

/* Other time that the thread's CPU time leaves out (while a virtual machine was stopped) adds up to
 * this. */
#define SETTLED_NS 10000000u

/* How often the counts are asked for again, because the thread lost the processor in between. */
#define MOST_READINGS 8

/*
 * The elapsed time and the counts are of one moment: an absence is in both, or in neither. CPU time
 * is read last, because the kernel often takes the processor away where it is asked for that.
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

void away_begin(struct away *a)
{
	*a = (struct away){.since_ns = 0};
	if (!sys_forbidden)
		a->from = account_now();
}

void away_settle(struct away *a, uint64_t time_ns)
{
	if (time_ns < a->from.elapsed_ns + SETTLED_NS || sys_forbidden || a->ended)
		return;
	*a = (struct away){.from = account_now()};
}

void away_look(struct away *a, bool needed)
{
	a->now = (struct away_account){.elapsed_ns = 0};
	if (sys_forbidden)
		a->missing = false;
	else if (needed && !a->ended)
		a->now = account_now();
}

void away_interrupted(struct away *a)
{
	a->since_ns = 0;
	a->missing = true;
}

void away_left(struct away *a, uint64_t time_ns, bool preempted)
{
	a->since_ns = time_ns;
	a->preempted = preempted;
}

static void charge_wait(struct zprof_samples *record, uint64_t ns, uint64_t times)
{
	record->waited_ns += ns;
	record->waits += (uint32_t)times;
}

static void charge_preemption(struct zprof_samples *record, uint64_t ns, uint64_t times)
{
	record->preempted_ns += ns;
	record->preemptions += (uint32_t)times;
}

void away_back(struct away *a, struct zprof_samples *record, uint64_t time_ns)
{
	uint64_t since = a->since_ns, ns;

	a->since_ns = 0;
	if (!since || since < a->from.elapsed_ns) /* it left before we began to count */
		return;
	ns = time_ns - since;
	a->told_ns += ns;
	a->told_waits += !a->preempted;
	a->told_preemptions += a->preempted;
	if (!record)
		return;
	if (a->preempted)
		charge_preemption(record, ns, 1);
	else
		charge_wait(record, ns, 1);
}

void away_unknown(struct away *a)
{
	a->since_ns = 0;
}

static uint64_t beyond(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* So many, each as long as those noted, but no more than `most` in all. */
static uint64_t as_noted(uint64_t noted_ns, uint64_t noted, uint64_t n, uint64_t most)
{
	unsigned __int128 ns = (unsigned __int128)noted_ns / noted * n;

	return ns < most ? (uint64_t)ns : most;
}

/*
 * The waits' part of `ns`, in this many waits and preemptions: if both are as long as those noted;
 * or if those are of which some were noted, and the rest is the others'.
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

uint64_t away_make_up(struct away *a, struct process *p, struct zprof_samples *record)
{
	struct away_account now = a->now, from = a->from;
	uint64_t ns, waits, preemptions, waited;

	if (!away_is_known(a)) {
		losses_count(p, ZPROF_LOSS_WAITS, !a->at_rest);
		return 0;
	}
	ns = beyond(now.elapsed_ns - from.elapsed_ns, now.cpu_ns - from.cpu_ns + a->told_ns);
	waits = beyond(now.waits - from.waits, a->told_waits);
	preemptions = beyond(now.preemptions - from.preemptions, a->told_preemptions);
	*a = (struct away){.from = now};
	if (!record || !(waits + preemptions))
		return 0;
	waited = waits_part(record, ns, waits, preemptions);
	charge_wait(record, waited, waits);
	charge_preemption(record, ns - waited, preemptions);
	return waited;
}

void away_ask(struct away *a, struct zprof_samples *record)
{
	uint64_t now = sys_forbidden || a->ended ? 0 : counted_queue_ns();

	if (record && now > a->queued_ns)
		record->preempted_ns += now - a->queued_ns;
	if (now)
		a->queued_ns = now;
}
