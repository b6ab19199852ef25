/* SPDX-License-Identifier: MIT */
/* compare_samples.c - see compare_samples.h. */
#include "report/compare/compare_samples.h"

#include <math.h>
#include <stdlib.h>

#include "report/core/base/memory.h"

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

/* How many runs a sample of SIDE is the mean of. */
static uint32_t runs_of(const struct compare *c, const struct compare_side *side,
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
		runs += runs_of(c, side, sample_of, (uint32_t)k);
	return runs;
}

/* Fills in SAMPLE_OF, the sample of each process, and for each side its samples, runs and elapsed
 * time. Returns the number of samples. */
static size_t number_samples(struct compare *c, uint32_t *sample_of)
{
	const struct process *processes = c->v->load.processes;
	size_t count = 0;
	for (size_t s = 0; s < c->side_count; s++) {
		struct compare_side *side = &c->sides[s];
		size_t before = count;
		for (size_t i = side->set->first; i < side->set->end; i++) {
			size_t like = i;
			for (size_t k = side->set->first; k < i && like == i; k++)
				if (c->sum || load_same_run(&processes[k], &processes[i]))
					like = k;
			sample_of[i] = like < i ? sample_of[like] : (uint32_t)count++;
		}
		side->samples = count - before;
		side->elapsed_ns = 0;
		side->runs = count_runs(c, side, sample_of, before, count);
		for (size_t k = before; k < count; k++)
			side->elapsed_ns +=
			    elapsed(c, side, sample_of, (uint32_t)k) / (double)side->samples;
	}
	return count;
}

/* The counters that a process of SAMPLE has: a bit for each. */
static unsigned columns_of(const struct compare *c, const uint32_t *sample_of, uint32_t sample)
{
	unsigned columns = 0;
	for (size_t i = 0; i < c->v->load.process_count; i++)
		if (sample_of[i] == sample)
			columns |= c->v->load.processes[i].columns;
	return columns;
}

void compare_samples_each(struct compare *c,
			  void (*take)(void *context, size_t side, struct tree *sample),
			  void *context)
{
	const struct tree *t = c->v->tree;
	uint32_t *sample_of = memory_zeroed(c->v->load.process_count, sizeof *sample_of);
	uint32_t *of_thread = memory_resize(NULL, t->thread_count, sizeof *of_thread);
	size_t count = number_samples(c, sample_of);
	for (size_t i = 0; i < t->thread_count; i++)
		of_thread[i] = sample_of[t->threads[i].process];
	struct tree *samples = filters_split(t, of_thread, count);
	for (size_t i = 0, side = 0, end = c->sides[0].samples; i < count; i++) {
		while (i >= end)
			end += c->sides[++side].samples;
		c->share = c->sum ? 1 : 1.0 / runs_of(c, &c->sides[side], sample_of, (uint32_t)i);
		c->columns = columns_of(c, sample_of, (uint32_t)i);
		take(context, side, &samples[i]);
		tree_free(&samples[i]);
	}
	free(samples);
	free(of_thread);
	free(sample_of);
}
