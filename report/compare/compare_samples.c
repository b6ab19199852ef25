/* SPDX-License-Identifier: MIT */
/* compare_samples.c - see compare_samples.h. */
#include "report/compare/compare_samples.h"

#include <math.h>

/* The elapsed time of one run. A merged profile has the sum over its runs. */
static double elapsed_of(const struct process *p)
{
	return p->elapsed_ns / p->runs;
}

/* The time from the first start to the last end of the processes in SAMPLE of SIDE. A double cannot
 * hold a start to the microsecond, so starts are subtracted as integers first. */
static double elapsed(const struct compare *c, const struct compare_side *side,
		      const uint32_t *sample_of, uint32_t sample)
{
	const struct process *processes = c->v->load.processes;
	uint64_t first = UINT64_MAX;
	double last = 0;
	for (size_t i = side->set->first; i < side->set->end; i++)
		if (sample_of[i] == sample && processes[i].header.start_realtime_ns < first)
			first = processes[i].header.start_realtime_ns;
	for (size_t i = side->set->first; i < side->set->end; i++)
		if (sample_of[i] == sample)
			last = fmax(last, (double)(processes[i].header.start_realtime_ns - first) +
					      elapsed_of(&processes[i]));
	return last;
}

uint32_t compare_samples_runs(const struct compare *c, const struct compare_side *side,
			      const uint32_t *sample_of, uint32_t sample)
{
	uint32_t runs = 1;
	for (size_t i = side->set->first; i < side->set->end; i++)
		if (sample_of[i] == sample && c->v->load.processes[i].runs > runs)
			runs = c->v->load.processes[i].runs;
	return runs;
}

static size_t count_runs(const struct compare *c, const struct compare_side *side,
			 const uint32_t *sample_of, size_t first, size_t end)
{
	size_t runs = 0;
	for (size_t k = first; k < end; k++)
		runs += compare_samples_runs(c, side, sample_of, (uint32_t)k);
	return runs;
}

size_t compare_samples_number(struct compare *c, uint32_t *sample_of, bool sum)
{
	const struct process *processes = c->v->load.processes;
	size_t count = 0;
	for (size_t s = 0; s < c->side_count; s++) {
		struct compare_side *side = &c->sides[s];
		size_t before = count;
		for (size_t i = side->set->first; i < side->set->end; i++) {
			size_t like = i;
			for (size_t k = side->set->first; k < i && like == i; k++)
				if (sum || load_same_run(&processes[k], &processes[i]))
					like = k;
			sample_of[i] = like < i ? sample_of[like] : (uint32_t)count++;
		}
		side->samples = count - before;
		side->runs = count_runs(c, side, sample_of, before, count);
		for (size_t k = before; k < count; k++)
			side->elapsed_ns +=
			    elapsed(c, side, sample_of, (uint32_t)k) / (double)side->samples;
	}
	return count;
}
