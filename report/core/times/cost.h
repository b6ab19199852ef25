/* SPDX-License-Identifier: MIT */
/*
 * cost.h - the cost of a context, a function or an arc, which is the one thing that every view adds
 * up.
 *
 * Every view shows sums of nodes' costs, and no other code knows the members of a cost. So a new
 * measure is a member here, a line in cost_add() and one in cost_subtract(), and a column.
 */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/core/base/units.h"

#define COST_COUNTERS 4 /* counters of interpreters, at most: ZPROF_EXTRA_COUNTERS */

struct cost {
	int64_t ticks;   /* as measured; exact */
	double ns;       /* without the cost of hooks, unless raw times are wanted; signed */
	double error_ns; /* bias of a self time: from hook pairs that touch it, and wait_error_ns */
	double all_error_ns;  /* bias of a total: from hook pairs inside, and lengthened_ns */
	double variance;      /* of ns, in ns squared, because samples are a matter of chance */
	double wait_error_ns; /* the part of error_ns that is of wait_ns (load/waits.h) */
	double lengthened_ns; /* what hooks may have added to wait_ns (lengthened.h); it is a part
				 of wait_error_ns, and of all_error_ns */
	double cpu_ns;        /* the part of ns on a processor */
	double wait_ns;       /* the part of ns on no processor, waiting for something */
	double preempted_ns;  /* another had the processor; a part of ns only in raw times */
	int64_t waits;        /* how often it waited */
	int64_t preemptions;
	int64_t samples;                /* samples that found it in the program */
	int64_t counter[COST_COUNTERS]; /* sums modulo 2^64, like ticks */
};

/* Sums of ticks are modulo 2^64, as in the file: a damaged file may hold any number. */
static inline int64_t cost_ticks(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline void cost_add(struct cost *to, const struct cost *c)
{
	to->ticks = cost_ticks(to->ticks, c->ticks);
	to->ns += c->ns;
	to->error_ns += c->error_ns;
	to->all_error_ns += c->all_error_ns;
	to->wait_error_ns += c->wait_error_ns;
	to->lengthened_ns += c->lengthened_ns;
	to->variance += c->variance;
	to->cpu_ns += c->cpu_ns;
	to->wait_ns += c->wait_ns;
	to->preempted_ns += c->preempted_ns;
	to->waits = cost_ticks(to->waits, c->waits);
	to->preemptions = cost_ticks(to->preemptions, c->preemptions);
	to->samples = cost_ticks(to->samples, c->samples);
	for (int i = 0; i < COST_COUNTERS; i++)
		to->counter[i] = cost_ticks(to->counter[i], c->counter[i]);
}

static inline void cost_subtract(struct cost *from, const struct cost *c)
{
	from->ticks = cost_ticks(from->ticks, (int64_t) - (uint64_t)c->ticks);
	from->ns -= c->ns;
	from->error_ns -= c->error_ns;
	from->all_error_ns -= c->all_error_ns;
	from->wait_error_ns -= c->wait_error_ns;
	from->lengthened_ns -= c->lengthened_ns;
	from->variance -= c->variance;
	from->cpu_ns -= c->cpu_ns;
	from->wait_ns -= c->wait_ns;
	from->preempted_ns -= c->preempted_ns;
	from->waits = cost_ticks(from->waits, (int64_t) - (uint64_t)c->waits);
	from->preemptions = cost_ticks(from->preemptions, (int64_t) - (uint64_t)c->preemptions);
	from->samples = cost_ticks(from->samples, (int64_t) - (uint64_t)c->samples);
	for (int i = 0; i < COST_COUNTERS; i++)
		from->counter[i] =
		    cost_ticks(from->counter[i], (int64_t) - (uint64_t)c->counter[i]);
}

/* Adds a share, from 0 to 1, of C. The variance is the same share of C's: which of the samples
 * belong to the share is a matter of chance, too. */
static inline void cost_add_share(struct cost *to, const struct cost *c, double share)
{
	to->ticks = cost_ticks(to->ticks, (int64_t)llround((double)c->ticks * share));
	to->ns += c->ns * share;
	to->error_ns += c->error_ns * share;
	to->all_error_ns += c->all_error_ns * share;
	to->wait_error_ns += c->wait_error_ns * share;
	to->lengthened_ns += c->lengthened_ns * share;
	to->variance += c->variance * share;
	to->cpu_ns += c->cpu_ns * share;
	to->wait_ns += c->wait_ns * share;
	to->preempted_ns += c->preempted_ns * share;
	to->waits = cost_ticks(to->waits, (int64_t)llround((double)c->waits * share));
	to->preemptions =
	    cost_ticks(to->preemptions, (int64_t)llround((double)c->preemptions * share));
	to->samples = cost_ticks(to->samples, (int64_t)llround((double)c->samples * share));
	for (int i = 0; i < COST_COUNTERS; i++)
		to->counter[i] =
		    cost_ticks(to->counter[i], (int64_t)llround((double)c->counter[i] * share));
}

/* The part of a self time on a processor, without waits, which are on no instruction. */
static inline struct cost cost_on_processor(const struct cost *self)
{
	struct cost c = *self;
	c.ns = self->cpu_ns;
	c.error_ns -= self->wait_error_ns;
	c.all_error_ns -= self->lengthened_ns;
	c.wait_ns = c.wait_error_ns = c.lengthened_ns = 0;
	c.waits = 0;
	return c;
}

/* Half the width of an error bar. It combines two standard deviations of the samples with the bias
 * of all calls together. */
static inline double cost_bar(double bias_ns, double variance)
{
	return sqrt(bias_ns * bias_ns + (variance > 0 ? 4 * variance : 0));
}

static inline double cost_self_bar(const struct cost *c)
{
	return cost_bar(c->error_ns, c->variance);
}

static inline double cost_total_bar(const struct cost *c)
{
	return cost_bar(c->all_error_ns, c->variance);
}

/*
 * Cuts C's bars off where they are longer than is possible: its time is neither below zero nor above
 * MOST_NS. A bar goes as far down as up, so it reaches the farther end. MOST_NS of 0: not known. For
 * costs that are shown, and not added up any more (estimate.h).
 */
static inline void cost_cut_bars(struct cost *c, double most_ns)
{
	double longest = fmax(c->ns, most_ns - c->ns), bias;
	if (most_ns <= 0 || longest <= 0)
		return;
	c->variance = fmin(c->variance, longest * longest / 4);
	bias = sqrt(fmax(longest * longest - 4 * fmax(c->variance, 0), 0));
	c->error_ns = fmin(c->error_ns, bias);
	c->all_error_ns = fmin(c->all_error_ns, bias);
}

/* Half the width of the error bar of a share of the whole, as a part of 1. Errors of the other
 * parts move a share, too: it is too large if the others are too small. */
static inline double cost_share_bar(double ns, double bar_ns, double whole_ns, double whole_bar_ns)
{
	double share = ns / whole_ns;
	return (fabs(1 - share) * bar_ns + fabs(share) * fmax(whole_bar_ns - bar_ns, 0)) / whole_ns;
}

/* Whether a time is smaller than its own error bar. Then it is only known to be below
 * cost_upper(), and text shows that bound in its place (view_bounded()). */
static inline bool cost_is_bound(double ns, double bar_ns)
{
	return bar_ns > 0 && ns <= bar_ns;
}

/* The upper end of a time's error bar; no time is below zero. */
static inline double cost_upper(double ns, double bar_ns)
{
	return fmax(ns + bar_ns, 0);
}

/*
 * The value of a time for sorting and for --min: the number that text shows, which is the time
 * itself, or its bound, rounded up. A function that is called often may take most of the time,
 * although its correction is even larger. Such a function must not be sorted below a thousand
 * functions that take nothing.
 */
static inline double cost_weight(double ns, double bar_ns)
{
	double upper = cost_upper(ns, bar_ns);
	if (!cost_is_bound(ns, bar_ns))
		return ns;
	return upper > 0 ? units_round_up(upper, 0.1) : 0;
}

static inline double cost_self_weight(const struct cost *c)
{
	return cost_weight(c->ns, cost_self_bar(c));
}

static inline double cost_total_weight(const struct cost *c)
{
	return cost_weight(c->ns, cost_total_bar(c));
}

#endif
