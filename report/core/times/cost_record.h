/* SPDX-License-Identifier: MIT */
/*
 * cost_record.h - the nanoseconds of a cost as a record of merged profiles. Its ticks and counters
 * are in other records.
 */
#ifndef REPORT_COST_RECORD_H
#define REPORT_COST_RECORD_H

#include <stdbool.h>

#include "preload/format.h"
#include "report/core/times/cost.h"

_Static_assert(sizeof(struct cost) == (13 + COST_COUNTERS) * 8,
	       "what a cost has, struct zprof_cost has too, and both functions name it");

/* The errors of waits have no members of the record. So a node's waits are a record of their own,
 * in which all errors are of waits. */
static inline struct cost cost_of_record(const struct zprof_cost *c)
{
	bool waits_alone = c->wait_ns > 0 && c->cpu_ns == 0 && c->variance == 0;
	return (struct cost){.ns = c->ns,
			     .error_ns = c->error_ns,
			     .wait_error_ns = waits_alone ? c->error_ns : 0,
			     .lengthened_ns = waits_alone ? c->all_error_ns : 0,
			     .all_error_ns = c->all_error_ns,
			     .variance = c->variance,
			     .cpu_ns = c->cpu_ns,
			     .wait_ns = c->wait_ns,
			     .preempted_ns = c->preempted_ns,
			     .waits = c->waits,
			     .preemptions = c->preemptions,
			     .samples = c->samples};
}

/* A number of samples for a record; a number that is too large becomes the largest that fits. */
static inline uint32_t cost_record_samples(int64_t samples)
{
	if (samples < 0)
		return 0;
	return samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX;
}

/* The part of C that is in the record of its waits; what is left is in another. */
static inline struct cost cost_waits(const struct cost *c)
{
	return (struct cost){.ns = c->wait_ns,
			     .wait_ns = c->wait_ns,
			     .waits = c->waits,
			     .error_ns = c->wait_error_ns,
			     .wait_error_ns = c->wait_error_ns,
			     .all_error_ns = c->lengthened_ns,
			     .lengthened_ns = c->lengthened_ns};
}

static inline struct zprof_cost cost_to_record(const struct cost *c, uint32_t node)
{
	return (struct zprof_cost){.node = node,
				   .ns = c->ns,
				   .error_ns = c->error_ns,
				   .all_error_ns = c->all_error_ns,
				   .variance = c->variance,
				   .cpu_ns = c->cpu_ns,
				   .wait_ns = c->wait_ns,
				   .preempted_ns = c->preempted_ns,
				   .waits = c->waits,
				   .preemptions = c->preemptions,
				   .samples = cost_record_samples(c->samples)};
}

#endif
