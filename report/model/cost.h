/* SPDX-License-Identifier: MIT */
/*
 * cost.h - what a context, a function or an arc costs: the one thing that every view adds up.
 *
 * Every view shows sums of nodes' costs, and no other code knows the members of a cost. So a new
 * measure is a member here, a line each in cost_add() and cost_subtract(), and a column.
 */
#ifndef REPORT_COST_H
#define REPORT_COST_H

#include <math.h>
#include <stdint.h>

#define COST_COUNTERS 4 /* counters of interpreters, at most: ZPROF_EXTRA_COUNTERS */

struct cost {
	int64_t ticks;       /* as measured; exact */
	double ns;           /* hooks' cost taken off, unless raw times are wanted; signed */
	double error_ns;     /* error bar if this is a self time: of hook pairs that touch it */
	double all_error_ns; /* error bar if this is a total: of hook pairs inside */
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
	for (int i = 0; i < COST_COUNTERS; i++)
		to->counter[i] = cost_ticks(to->counter[i], c->counter[i]);
}

static inline void cost_subtract(struct cost *from, const struct cost *c)
{
	from->ticks = cost_ticks(from->ticks, (int64_t) - (uint64_t)c->ticks);
	from->ns -= c->ns;
	from->error_ns -= c->error_ns;
	from->all_error_ns -= c->all_error_ns;
	for (int i = 0; i < COST_COUNTERS; i++)
		from->counter[i] =
		    cost_ticks(from->counter[i], (int64_t) - (uint64_t)c->counter[i]);
}

/* Half the width of the error bar: how far the calibration of the hooks may be off. */
static inline double cost_self_bar(const struct cost *c)
{
	return fabs(c->error_ns);
}

static inline double cost_total_bar(const struct cost *c)
{
	return fabs(c->all_error_ns);
}

/*
 * The value of a time for sorting and for --min: the time itself, or the upper end of its error bar
 * where the bar is larger than the time. A function called often may take most of the time while
 * its correction is larger still: it must not sink below a thousand functions that take nothing.
 */
static inline double cost_weight(double ns, double bar_ns)
{
	return ns > bar_ns ? ns : ns + bar_ns;
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
