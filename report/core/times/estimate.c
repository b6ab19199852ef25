/* SPDX-License-Identifier: MIT */
/* estimate.c - see estimate.h. */
#include "report/core/times/estimate.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

/* H of estimate.h, as a share of the cost of a pair of hooks around nothing; and the factor 1.5
 * there. */
#define HIDDEN_ROOM       0.4
#define HIDDEN_ROOM_EXACT 0.1 /* of a pair that reads the clock, which costs more */
#define HIDDEN_SLOPE      1.5

/* How much of a pair around nothing is the program's own code, which sets up the hook's arguments
 * (estimate.h). */
#define CALLING 0.035

/*
 * Errors of these values: of what is hidden, as a share; of each call, and each call made, as a share of a
 * pair; and of a time, because a compiler optimizes less around hooks: in full if a function's stretches are
 * no longer than a pair of hooks, and less if they are longer, but not below the least.
 */
static const struct errors {
	double hidden, call, share, overlap;
} errors_fentry = {0.35, 0.035, 0.14, 0.4}, errors_hooks = {0.5, 0.05, 0.60, 0};
#define SHARE_ERROR_LEAST 0.05

/*
 * The error by which hooks change how calls overlap (estimate.h) is at most the share `overlap` of a time. It
 * is small where stretches are shorter than the first length, for these hardly wait for memory, and where
 * they are longer than the second, for these wait within one call. Hooks of the source's functions are in
 * so many places that their other errors contain this one.
 */
#define OVERLAP_FROM_NS 20.0
#define OVERLAP_TO_NS   300.0

/* What the hook of an entry alone costs, as a share of a pair of hooks, where it was not measured:
 * profiles of older libraries, and functions without exits in a library that was loaded later. */
#define UNMEASURED_ENTRY_PART 0.5

/* Errors of times from a second run: no two runs are quite equal, and hooks that are off still cost
 * a little. */
#define NATIVE_ERROR_FENTRY 0.05
#define NATIVE_ERROR_HOOKS  0.15

/* Stretches are short up to the first number of pairs of hooks, and long from the second on. */
#define SHORT_PAIRS 8.0
#define LONG_PAIRS  32.0

/* As many samples in hooks weigh as much as the calibration. */
#define CALIBRATION_SAMPLES 20.0

/* A context without a sample is assumed to take at most this much per call. */
#define UNSEEN_CALL_NS 20.0

static double square(double x)
{
	return x * x;
}

bool estimate_is_timed(const struct zprof_header *header)
{
	return header->mode != ZPROF_MODE_COUNT || header->sampler != ZPROF_SAMPLER_NONE ||
	       header->native_samples;
}

static bool has_clock(const struct estimate *e)
{
	return e->profile->header.mode != ZPROF_MODE_COUNT;
}

/* A node's calls that had hooks. */
static uint64_t hooked_calls(const struct zprof_node *node)
{
	return ZPROF_NODE_FLAGS(node) & ZPROF_NODE_TOLD ? 0 : node->calls;
}

static uint64_t count_calls(const struct profile *p)
{
	uint64_t calls = 0;
	for (size_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].parent != PROFILE_NO_NODE)
			calls += hooked_calls(&p->nodes[i]);
	return calls;
}

static void add_children(struct estimate *e)
{
	const struct profile *p = e->profile;
	e->child_calls = memory_zeroed(p->node_count, sizeof *e->child_calls);
	for (size_t i = 0; i < p->node_count; i++)
		if (p->nodes[i].parent != PROFILE_NO_NODE)
			e->child_calls[p->nodes[i].parent] += hooked_calls(&p->nodes[i]);
}

static uint64_t own_samples(const struct zprof_samples *s)
{
	return (uint64_t)s->user_samples + s->kernel_samples;
}

/*
 * Adds up the time that others had the processor, if a timer takes the samples. The part that
 * samples missed is in the records of roots. The part that samples found may belong to a neighbour
 * of the node that has it. So every time by the clock may contain a part of the sum.
 */
static void add_others(struct estimate *e)
{
	const struct profile *p = e->profile;
	if (p->header.sampler != ZPROF_SAMPLER_TIMER || e->raw)
		return;
	double all = 0;
	for (size_t i = 0; i < p->node_count; i++) {
		e->others_ns += (double)e->seen_in[i].preempted_ns;
		all += (double)(int64_t)p->nodes[i].self_ticks * e->ns_per_tick;
		if (p->nodes[i].parent == PROFILE_NO_NODE)
			e->seen_in[i].preempted_ns = 0;
	}
	if (e->others_ns < all)
		e->others_share = e->others_ns / all;
}

/* Others' part of a node's time by the clock: as noted for the node, or on average. */
static double others_in(const struct estimate *e, size_t node, double clock_ns)
{
	if (e->profile->header.sampler == ZPROF_SAMPLER_TIMER)
		return clock_ns * e->others_share;
	return (double)e->seen_in[node].preempted_ns;
}

static void add_samples(struct estimate *e)
{
	const struct profile *p = e->profile;
	double ns = 0;
	e->seen_in = memory_zeroed(p->node_count, sizeof *e->seen_in);
	for (size_t i = 0; i < p->sample_count; i++) {
		const struct zprof_samples *from = &p->samples[i];
		struct zprof_samples *to = &e->seen_in[from->node];
		to->hook_samples += from->hook_samples;
		to->user_samples += from->user_samples;
		to->kernel_samples += from->kernel_samples;
		to->user_ns += from->user_ns;
		to->kernel_ns += from->kernel_ns;
		to->hook_ns += from->hook_ns;
		to->waited_ns += from->waited_ns;
		to->preempted_ns += from->preempted_ns;
		to->waits += from->waits;
		to->preemptions += from->preemptions;
		e->samples += own_samples(from) + from->hook_samples;
		e->hook_ns += (double)from->hook_ns;
		ns += (double)from->user_ns + (double)from->kernel_ns + (double)from->hook_ns;
	}
	e->unsure_in = memory_zeroed(p->node_count, sizeof *e->unsure_in);
	e->callees_in = memory_zeroed(p->node_count, sizeof *e->callees_in);
	for (size_t i = 0; i < p->unsure_count; i++) {
		e->unsure_in[p->unsures[i].node] += (double)p->unsures[i].ns;
		e->callees_in[p->unsures[i].node] += (double)p->unsures[i].callees_ns;
		e->unsure_ns += (double)p->unsures[i].ns;
	}
	add_others(e);
	e->period_ns = e->samples ? ns / (double)e->samples : p->header.sample_period_ns;
	if (!e->raw)
		e->price_ns = p->header.sample_price_ns;
}

static void add_natives(struct estimate *e)
{
	const struct profile *p = e->profile;
	e->native = memory_zeroed(p->node_count, sizeof *e->native);
	for (size_t i = 0; i < p->native_count; i++) {
		struct zprof_native *to = &e->native[p->natives[i].node];
		to->samples += p->natives[i].samples;
		to->cpu_ns += p->natives[i].cpu_ns;
		to->variance += p->natives[i].variance;
	}
	e->samples = p->header.native_samples;
}

/* CPU time without the cost of the samples in it; at least half of the time is left. */
static double without_price(const struct estimate *e, double ns, uint64_t samples)
{
	double price = (double)samples * e->price_ns;
	return price < ns / 2 ? ns - price : ns / 2;
}

static void set_room(struct estimate *e, double pair_ns)
{
	bool fentry = e->profile->header.flags & ZPROF_FENTRY;
	const struct errors *errors = fentry ? &errors_fentry : &errors_hooks;
	e->hidden_error = errors->hidden;
	e->call_error_ns = errors->call * pair_ns;
	e->share_error = errors->share;
	e->overlap_error = errors->overlap;
	e->room_ns = (has_clock(e) ? HIDDEN_ROOM_EXACT : HIDDEN_ROOM) * pair_ns;
	e->calling_ns = fentry ? 0 : CALLING * pair_ns;
}

/* The cost of a call's hooks around nothing, by the calibration; CLOCK_NS is that of a pair which reads
 * the clock. */
static double measured_ns(const struct estimate *e, double clock_ns)
{
	const struct zprof_header *h = &e->profile->header;
	double unit = e->ns_per_tick / 1000;
	if (has_clock(e))
		return clock_ns;
	if (~h->flags & ZPROF_ENTRIES)
		return h->hook_count_milliticks * unit;
	if (h->hook_entry_milliticks)
		return h->hook_entry_milliticks * unit;
	return UNMEASURED_ENTRY_PART * h->hook_count_milliticks * unit;
}

/* Sets the cost of a call's hooks, from samples and from the calibration. */
static void set_pair(struct estimate *e)
{
	const struct zprof_header *h = &e->profile->header;
	double unit = e->ns_per_tick / 1000;
	double callee = h->hook_callee_milliticks * unit, caller = h->hook_caller_milliticks * unit;
	double measured = measured_ns(e, callee + caller);
	if (e->seen_in && !e->raw)
		set_room(e, measured);
	uint64_t calls = count_calls(e->profile), hooks = 0;
	for (size_t i = 0; e->seen_in && i < e->profile->node_count; i++)
		hooks += e->seen_in[i].hook_samples;
	e->hook_ns = without_price(e, e->hook_ns, hooks);
	double seen = calls ? e->hook_ns / (double)calls : 0;
	double weight = (double)hooks / ((double)hooks + CALIBRATION_SAMPLES);
	e->pair_ns = weight * seen + (1 - weight) * measured;
	e->tiny_pair_ns = e->pair_ns;
	if (!has_clock(e) || callee + caller <= 0)
		return;
	double scale = e->pair_ns / (callee + caller);
	e->callee_ns = callee * scale;
	e->caller_ns = caller * scale;
	e->error_ns = h->hook_error_milliticks * unit;
	if (!e->seen_in)
		e->tiny_pair_ns += e->error_ns / 5;
	if (e->seen_in && e->error_ns > e->pair_ns / 2)
		e->error_ns = e->pair_ns / 2;
}

/* A node's CPU time in the program, by samples. */
static double seen_ns(const struct estimate *e, size_t node)
{
	const struct zprof_samples *s = &e->seen_in[node];
	return without_price(e, (double)s->user_ns + (double)s->kernel_ns, own_samples(s));
}

static double share_of(const struct estimate *e, double stretch_ns)
{
	if (!e->seen_in || e->raw)
		return 1;
	if (stretch_ns >= LONG_PAIRS * e->pair_ns)
		return 1;
	if (stretch_ns <= SHORT_PAIRS * e->pair_ns)
		return 0;
	double x = log(stretch_ns / (SHORT_PAIRS * e->pair_ns)) / log(LONG_PAIRS / SHORT_PAIRS);
	return x * x * (3 - 2 * x);
}

/* Of a zone: the sums that decide whether its time comes from the clock or from samples. */
struct zone_sums {
	double stretches; /* each call of a function, and each return to it, begins one */
	double clock_ns, seen_ns;
};

static struct zone_sums *sum_zones(const struct estimate *e, const uint32_t *zones,
				   size_t zone_count)
{
	const struct profile *p = e->profile;
	struct zone_sums *sums = memory_zeroed(zone_count, sizeof *sums);
	for (size_t i = 0; i < p->node_count; i++) {
		if (zones[i] >= zone_count)
			continue;
		struct zone_sums *z = &sums[zones[i]];
		z->stretches += (double)(hooked_calls(&p->nodes[i]) + e->child_calls[i]);
		double clock_ns = (double)(int64_t)p->nodes[i].self_ticks * e->ns_per_tick;
		z->clock_ns += clock_ns;
		if (!e->seen_in)
			continue;
		z->clock_ns -= others_in(e, i, clock_ns);
		z->seen_ns += seen_ns(e, i);
	}
	return sums;
}

/* The visible length of a zone's stretches. If a zone has few samples, it is assumed to be a little
 * like the others: as if it had one more sample, from stretches of average length. */
static double visible_ns(const struct estimate *e, const struct zone_sums *z,
			 const struct zone_sums *all)
{
	if (all->seen_ns <= 0)
		return 0;
	double ns = (z->seen_ns + e->period_ns) /
		    (z->stretches + e->period_ns * all->stretches / all->seen_ns);
	return ns > e->calling_ns ? ns - e->calling_ns : 0;
}

/* How much a call hides if VISIBLE_NS of each stretch are visible: the solution w of visible = w -
 * hidden(w), less visible. */
static double hidden_by(double visible_ns, double room_ns)
{
	double low = visible_ns, high = visible_ns + room_ns;
	for (int i = 0; i < 40 && room_ns > 0; i++) {
		double w = (low + high) / 2;
		double shows = w - room_ns * (1 - exp(-w / (HIDDEN_SLOPE * room_ns)));
		*(shows < visible_ns ? &low : &high) = w;
	}
	return low - visible_ns;
}

/* The error of a zone's times by overlap, as a share. */
static double overlap_error(const struct estimate *e, double stretch_ns)
{
	double waits = square(stretch_ns / OVERLAP_FROM_NS);
	return e->overlap_error * waits / (1 + waits) / (1 + stretch_ns / OVERLAP_TO_NS);
}

static void judge_zones(struct estimate *e, const uint32_t *zones, size_t zone_count)
{
	struct zone_sums *sums = sum_zones(e, zones, zone_count), all = {0};
	e->clock_share = memory_zeroed(zone_count, sizeof *e->clock_share);
	e->hidden_ns = memory_zeroed(zone_count, sizeof *e->hidden_ns);
	e->share_errors = memory_zeroed(zone_count, sizeof *e->share_errors);
	e->calling = memory_zeroed(zone_count, sizeof *e->calling);
	for (size_t i = 0; i < zone_count; i++) {
		all.stretches += sums[i].stretches;
		all.seen_ns += sums[i].seen_ns;
	}
	for (size_t i = 0; i < zone_count; i++) {
		const struct zone_sums *z = &sums[i];
		bool called = z->stretches > 0;
		if (has_clock(e))
			e->clock_share[i] =
			    share_of(e, called ? z->clock_ns / z->stretches : INFINITY);
		e->share_errors[i] = e->raw ? 0 : SHARE_ERROR_LEAST;
		if (!e->seen_in || !called)
			continue;
		double visible = visible_ns(e, z, &all), seen = z->seen_ns / z->stretches;
		e->calling[i] = e->calling_ns < seen ? e->calling_ns : seen;
		e->hidden_ns[i] = hidden_by(visible, e->room_ns);
		e->share_errors[i] = e->share_error;
		if (visible > e->pair_ns)
			e->share_errors[i] *= e->pair_ns / visible;
		if (e->raw)
			continue;
		if (e->share_errors[i] < SHARE_ERROR_LEAST)
			e->share_errors[i] = SHARE_ERROR_LEAST;
		e->share_errors[i] += overlap_error(e, visible);
	}
	free(sums);
}

void estimate_init(struct estimate *e, const struct profile *p, const uint32_t *zones,
		   size_t zone_count, bool raw)
{
	*e = (struct estimate){.profile = p, .raw = raw};
	e->ns_per_tick = profile_ns_per_tick(&p->header);
	add_children(e);
	if (p->header.sampler != ZPROF_SAMPLER_NONE)
		add_samples(e);
	set_pair(e);
	if (p->header.native_samples && !raw)
		add_natives(e);
	if (raw)
		e->callee_ns = e->caller_ns = e->error_ns = 0;
	judge_zones(e, zones, zone_count);
}

void estimate_free(struct estimate *e)
{
	free(e->child_calls);
	free(e->seen_in);
	free(e->unsure_in);
	free(e->callees_in);
	free(e->native);
	free(e->clock_share);
	free(e->hidden_ns);
	free(e->share_errors);
	free(e->calling);
}

/*
 * The variance of the time that others had the processor, which was read at SAMPLES samples. If a
 * stretch of the zone begins or ends between two samples, the part of the time between them may
 * belong to another zone. There are at most two such parts for each stretch.
 */
static double preempted_variance(double ns, double samples, double stretches)
{
	double doubtful = 2 * stretches < samples ? 2 * stretches : samples;
	return doubtful * square(ns / samples);
}

/*
 * How much of the time that others had the processor is noted in a wrong node: passed in this node
 * and noted in another, or the reverse. The node's time by the clock, NS, then differs from the
 * time that samples have SEEN.
 */
static double misplaced(const struct estimate *e, double ns, double seen, double preempted)
{
	return ns > seen ? fmin(ns - seen, e->others_ns) : fmin(seen - ns, preempted);
}

static struct cost from_clock(const struct estimate *e, size_t node)
{
	const struct zprof_node *n = &e->profile->nodes[node];
	double calls = (double)hooked_calls(n), children = (double)e->child_calls[node];
	double ns = (double)(int64_t)n->self_ticks * e->ns_per_tick - calls * e->callee_ns -
		    children * e->caller_ns;
	double variance = 0, unexplained = 0;
	if (e->seen_in && !e->raw) {
		const struct zprof_samples *s = &e->seen_in[node];
		double preempted = (double)s->preempted_ns;
		uint64_t samples = own_samples(s) + s->hook_samples;
		ns -= preempted;
		if (e->profile->header.sampler == ZPROF_SAMPLER_TIMER) {
			unexplained = misplaced(e, ns, seen_ns(e, node), preempted);
			variance = preempted_variance(preempted, samples ? (double)samples : 1,
						      calls + children);
		}
	}
	return (struct cost){.ns = ns,
			     .error_ns = (calls + children) * e->error_ns + unexplained,
			     .all_error_ns = calls * e->error_ns,
			     .variance = variance};
}

static struct cost from_samples(const struct estimate *e, size_t node, uint32_t zone)
{
	const struct zprof_samples *s = &e->seen_in[node];
	double calls = (double)hooked_calls(&e->profile->nodes[node]);
	double children = (double)e->child_calls[node];
	double ns = seen_ns(e, node), hidden = e->hidden_ns[zone];
	double unseen = ((double)e->profile->nodes[node].calls + children) * UNSEEN_CALL_NS;
	double call_error = e->hidden_error * hidden + e->call_error_ns;
	uint64_t samples = own_samples(s);
	double calling = (calls + children) * e->calling[zone];
	struct cost c = {.ns = ns + (double)s->waited_ns + calls * hidden - calling,
			 .all_error_ns =
			     calls * call_error + e->share_errors[zone] * ns + e->unsure_in[node]};
	c.error_ns = c.all_error_ns + children * e->call_error_ns + e->callees_in[node];
	if (samples)
		c.variance = square(ns) / (double)samples;
	else
		c.variance = square(unseen < e->period_ns ? unseen : e->period_ns);
	return c;
}

/* A node's cost without hooks, from the second run. Its waits are added by add_waits(). */
static struct cost from_native(const struct estimate *e, size_t node)
{
	const struct zprof_native *n = &e->native[node];
	bool fentry = e->profile->header.flags & ZPROF_FENTRY;
	double error = (fentry ? NATIVE_ERROR_FENTRY : NATIVE_ERROR_HOOKS) * n->cpu_ns;
	double period = (double)e->profile->header.native_period_ns;
	double unseen =
	    ((double)e->profile->nodes[node].calls + (double)e->child_calls[node]) * UNSEEN_CALL_NS;
	return (struct cost){.ticks = (int64_t)e->profile->nodes[node].self_ticks,
			     .ns = n->cpu_ns,
			     .cpu_ns = n->cpu_ns,
			     .error_ns = error,
			     .all_error_ns = error,
			     .variance = n->cpu_ns > 0 ? n->variance : square(fmin(unseen, period)),
			     .samples = n->samples};
}

/* Adds times on no processor. PREEMPTED_IN: the time of others is a part of c->ns. */
static void add_absences(struct cost *c, const struct zprof_samples *s, bool preempted_in)
{
	c->wait_ns = (double)s->waited_ns;
	c->waits = s->waits;
	c->preempted_ns = (double)s->preempted_ns;
	c->preemptions = s->preemptions;
	c->samples = (int64_t)own_samples(s);
	c->cpu_ns -= c->wait_ns + (preempted_in ? c->preempted_ns : 0);
}

/* Adds waits to a cost from the second run, whose CPU time and samples stay. */
static void add_waits(struct cost *c, const struct zprof_samples *s)
{
	double cpu_ns = c->cpu_ns;
	int64_t samples = c->samples;
	c->ns += (double)s->waited_ns;
	add_absences(c, s, false);
	c->cpu_ns = cpu_ns;
	c->samples = samples;
}

static int64_t own_ticks(const struct zprof_samples *s)
{
	return (int64_t)(s->user_ns + s->kernel_ns + s->waited_ns);
}

struct cost estimate_node(const struct estimate *e, size_t node, uint32_t zone)
{
	double share = e->clock_share[zone];
	struct cost c = {0};
	if (e->native) {
		c = from_native(e, node);
		if (e->seen_in)
			add_waits(&c, &e->seen_in[node]);
		return c;
	}
	if (has_clock(e))
		c = from_clock(e, node);
	if (e->seen_in && share < 1) {
		struct cost s = from_samples(e, node, zone);
		c.ns = share * c.ns + (1 - share) * s.ns;
		c.error_ns = share * c.error_ns + (1 - share) * s.error_ns;
		c.all_error_ns = share * c.all_error_ns + (1 - share) * s.all_error_ns;
		c.variance = square(share) * c.variance + square(1 - share) * s.variance;
	}
	c.ticks = (int64_t)e->profile->nodes[node].self_ticks;
	c.cpu_ns = c.ns;
	if (e->seen_in) {
		add_absences(&c, &e->seen_in[node], has_clock(e) && e->raw);
		if (!has_clock(e))
			c.ticks = own_ticks(&e->seen_in[node]);
	}
	return c;
}

double estimate_hooks_ns(const struct estimate *e, size_t node)
{
	const struct zprof_samples *s = &e->seen_in[node];
	double hooks = without_price(e, (double)s->hook_ns, s->hook_samples);
	return e->native ? hooks + seen_ns(e, node) - e->native[node].cpu_ns : hooks;
}

struct cost estimate_unseen(const struct estimate *e, const struct zprof_thread *thread)
{
	double ns = (double)thread->unseen_ns;
	if (has_clock(e) || e->profile->header.sampler != ZPROF_SAMPLER_USER)
		return (struct cost){0};
	return (struct cost){.ticks = (int64_t)thread->unseen_ns,
			     .ns = ns,
			     .cpu_ns = ns,
			     .variance = ns * e->period_ns};
}
