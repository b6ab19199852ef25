/* SPDX-License-Identifier: MIT */
/* estimate.c - see estimate.h. */
#include "preload/estimate.h"

#include "preload/track.h"

/* Timed segments after which N may double; at N = 1 there are more, so that rare nodes stay exact.
 */
#define FIRST_TIMED 1024
#define MORE_TIMED  256

#define LARGEST_PERIOD 128u
/* Of a node that is throttled: it is not timed any more. */
#define THROTTLED_PERIOD (1u << 31)

/*
 * Timing a segment costs some 60 ticks more than not timing it. N doubles while that is more than
 * one part in 16 of what the node itself takes.
 */
#define WORTH_TICKS (60u * 16)

/* ---- records */

static struct zprof_estimate *record_of(const struct track *k, struct zprof_node *node)
{
	return (struct zprof_estimate *)(k->base +
					 (uintptr_t)twin_of(node)->record * ZPROF_NODE_BYTES);
}

/* A record for a node that has none. False: no room; it goes on being timed. */
static bool new_record(struct track *k, struct zprof_node *node, struct plan *plan)
{
	struct tree *tree = k->tree;
	struct zprof_section *s = tree->estimates;
	struct zprof_estimate *record;

	if (!s || s->used + sizeof(*record) > s->bytes) {
		s = file_section(k->process, ZPROF_SECTION_ESTIMATES, tree->thread, ZPROF_GRANULE);
		if (!s)
			return false;
		tree->estimates = s;
	}
	record = (struct zprof_estimate *)((char *)s + s->used);
	record->node = node_reference(k->base, node);
	record->timed = plan->timed;
	record->period = 1;
	s->used += sizeof(*record);
	twin_of(node)->record =
	    (uint32_t)(((uintptr_t)record - (uintptr_t)k->base) / ZPROF_NODE_BYTES);
	return true;
}

/* ---- the end of a segment */

static void add_square(uint64_t sum[2], uint64_t x)
{
	unsigned __int128 s = (unsigned __int128)sum[1] << 64 | sum[0];

	s += (unsigned __int128)x * x;
	sum[0] = (uint64_t)s;
	sum[1] = (uint64_t)(s >> 64);
}

void estimate_charge(struct track *k, struct zprof_node *node, uint64_t elapsed)
{
	struct plan *plan = plan_of(k->base, node);
	uint64_t ticks = plan->ticks + elapsed;

	if (!k->weight)
		return;
	node->self_ticks += elapsed * k->weight;
	plan->ticks = ticks > UINT32_MAX ? UINT32_MAX : (uint32_t)ticks;
	plan->timed += plan->timed < UINT16_MAX;
	if (!twin_of(node)->record)
		return;
	record_of(k, node)->timed++;
	if (k->weight > 1)
		add_square(record_of(k, node)->square, elapsed * k->weight);
}

/* ---- the beginning of one */

static uint32_t at_random(struct track *k, uint32_t below)
{
	uint64_t x = k->random;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	k->random = x;
	return (uint32_t)((x >> 32) * below >> 32);
}

/* The largest period this node's segments are short enough for. */
static uint32_t fitting_period(const struct track *k, const struct plan *plan, uint32_t period)
{
	uint64_t ticks = plan->ticks / plan->timed;
	const struct process *p = k->process;

	if (ticks < p->throttle_ticks)
		return THROTTLED_PERIOD;
	if (p->options.mode != ZPROF_MODE_ADAPTIVE)
		return 1;
	return ticks * period < WORTH_TICKS && period < LARGEST_PERIOD ? 2 * period : period;
}

/* N as it shall be from the next stratum on. */
static uint32_t next_period(struct track *k, struct zprof_node *node, struct plan *plan)
{
	uint32_t period = twin_of(node)->record ? record_of(k, node)->period : 1, fitting;

	if (plan->timed < (period == 1 ? FIRST_TIMED : MORE_TIMED))
		return period;
	fitting = fitting_period(k, plan, period);
	if (fitting != period && (twin_of(node)->record || new_record(k, node, plan))) {
		record_of(k, node)->period = period = fitting;
		if (period == THROTTLED_PERIOD)
			node->module |= ZPROF_NODE_THROTTLED << 24;
	}
	plan->timed = 0;
	plan->ticks = 0;
	return period;
}

bool estimate_wanted(const struct process *p)
{
	return p->options.mode == ZPROF_MODE_ADAPTIVE || p->options.throttle;
}

void estimate_next(struct track *k, struct zprof_node *node)
{
	struct plan *plan = plan_of(k->base, node);
	struct twin *twin = twin_of(node);
	uint32_t period, at;

	if (twin->skip > 1) {
		twin->skip--;
		k->weight = 0;
		return;
	}
	period = twin_of(node)->record ? record_of(k, node)->period : 1;
	k->weight = period == THROTTLED_PERIOD ? 1 : period;
	period = next_period(k, node, plan);
	if (period == THROTTLED_PERIOD) {
		twin->skip = UINT32_MAX;
		plan->rest = 0;
		return;
	}
	at = at_random(k, period);
	twin->skip = plan->rest + at + 1;
	plan->rest = (uint16_t)(period - 1 - at);
}
