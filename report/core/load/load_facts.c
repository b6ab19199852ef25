/* SPDX-License-Identifier: MIT */
/* load_facts.c - see load.h: questions about all that was loaded. */
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/times/estimate.h"
#include "report/core/load/load.h"

bool load_same_run(const struct process *a, const struct process *b)
{
	static const uint8_t none[sizeof a->header.run_id];
	if (a->header.flags & b->header.flags & ZPROF_MERGED && !strcmp(a->path, b->path))
		return true;
	return memcmp(a->header.run_id, none, sizeof none) != 0 &&
	       !memcmp(a->header.run_id, b->header.run_id, sizeof none);
}

const char *load_program(const struct process *p)
{
	const char *first = p->argument_count ? p->arguments[0] : p->command;
	return zones_base_name(*p->exe ? p->exe : first);
}

size_t load_processes(const struct load *l)
{
	size_t count = 0;
	for (size_t i = 0; i < l->process_count; i++)
		count += l->processes[i].processes;
	return count;
}

static int by_run_and_start(const void *left, const void *right)
{
	const struct process *const *a = left, *const *b = right;
	const struct zprof_header *x = &(*a)->header, *y = &(*b)->header;
	return memcmp(x->run_id, y->run_id, sizeof x->run_id)
		   ?: memory_order(x->start_realtime_ns, y->start_realtime_ns);
}

double load_elapsed_ns(const struct load *l)
{
	static const uint8_t none[16];
	const struct process **sorted = memory_resize(NULL, l->process_count, sizeof *sorted);
	double sum = 0, until = 0;
	const uint8_t *run = none;
	for (size_t i = 0; i < l->process_count; i++)
		sorted[i] = &l->processes[i];
	memory_sort(sorted, l->process_count, by_run_and_start);
	for (size_t i = 0; i < l->process_count; i++) {
		double start = (double)sorted[i]->header.start_realtime_ns;
		double end = start + sorted[i]->elapsed_ns;
		bool same = i && memcmp(run, none, sizeof none) &&
			    !memcmp(run, sorted[i]->header.run_id, sizeof none);
		if (same)
			sum += end > until ? end - until : 0;
		else
			sum += end - start;
		until = same && until > end ? until : end;
		run = sorted[i]->header.run_id;
	}
	free(sorted);
	return sum;
}

double load_ns_per_tick(const struct load *l)
{
	return l->process_count ? l->processes[0].ns_per_tick : 1.0;
}

bool load_is_fake(const struct load *l)
{
	return l->process_count && l->processes[0].header.clock == ZPROF_CLOCK_FAKE;
}

bool load_sampled(const struct load *l, bool *all)
{
	size_t count = 0, counted = 0;
	for (size_t i = 0; i < l->process_count; i++) {
		const struct process *p = &l->processes[i];
		bool sampled = p->header.flags & ZPROF_SAMPLED;
		count += sampled;
		counted += !sampled || p->calls; /* a merged profile may have both */
	}
	*all = count && !counted;
	return count;
}

bool load_knows_waits(const struct process *p)
{
	if (p->header.flags & ZPROF_SAMPLED)
		return false;
	return p->header.sampler == ZPROF_SAMPLER_KERNEL || p->header.sampler == ZPROF_SAMPLER_USER;
}

bool load_all_know_waits(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (!load_knows_waits(&l->processes[i]))
			return false;
	return l->process_count > 0;
}

/* A timer's samples are of processor time alone, and so is a second run; the clock alone has all that
 * passed. */
static bool knows_measure(const struct load *l, const struct process *p, enum time_measure m)
{
	bool exact = p->header.mode == ZPROF_MODE_EXACT;
	bool second = p->header.native_samples && !l->raw;
	if (m == TIME_OWN || load_knows_waits(p))
		return true;
	if (m == TIME_CPU)
		return second || p->header.flags & ZPROF_SAMPLED ||
		       (!exact && p->header.sampler == ZPROF_SAMPLER_TIMER);
	return m == TIME_WALL && exact && !second;
}

const struct process *load_unknown_measure(const struct load *l, enum time_measure m)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (!knows_measure(l, &l->processes[i], m))
			return &l->processes[i];
	return NULL;
}

bool load_names_waits(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (l->processes[i].header.flags & ZPROF_OFFCPU &&
		    l->processes[i].header.sampler == ZPROF_SAMPLER_KERNEL)
			return true;
	for (size_t i = 1; i < l->zones.count; i++)
		if (l->zones.list[i].kind == ZPROF_ZONE_WAIT)
			return true;
	return false;
}

size_t load_second_runs(const struct load *l)
{
	size_t count = 0;
	for (size_t i = 0; i < l->process_count && !l->raw; i++)
		count += l->processes[i].header.native_samples > 0;
	return count;
}

bool load_counts_only(const struct load *l)
{
	for (size_t i = 0; i < l->process_count; i++)
		if (estimate_is_timed(&l->processes[i].header))
			return false;
	return l->process_count > 0;
}

uint64_t load_samples(const struct load *l)
{
	uint64_t samples = 0;
	for (size_t i = 0; i < l->process_count; i++)
		samples += l->processes[i].samples;
	return samples;
}

uint64_t load_calls(const struct load *l)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < l->process_count; i++)
		calls += l->processes[i].calls;
	return calls;
}

double load_zone_hook_ns(const struct load *l, uint32_t zone, uint64_t calls)
{
	if (zone >= l->hooks_room || !l->hooks[zone].calls)
		return 0;
	return l->hooks[zone].ns * ((double)calls / (double)l->hooks[zone].calls);
}

double load_process_hook_ns(const struct process *p, uint64_t calls)
{
	return p->calls ? p->hook_ns * ((double)calls / (double)p->calls) : 0;
}

double load_hook_ns(const struct load *l)
{
	double ns = 0;
	for (size_t i = 0; i < l->process_count; i++)
		ns += l->processes[i].hook_ns;
	return ns;
}

bool load_recording_ended(const struct process *p)
{
	const struct process_recording *last =
	    p->recording_count ? &p->recordings[p->recording_count - 1] : NULL;
	return last && last->began_realtime_ns && !last->goes_on;
}
