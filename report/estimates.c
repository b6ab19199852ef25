/* SPDX-License-Identifier: MIT */
/*
 * estimates.c - see estimates.h.
 *
 * Which share of a node's segments was timed is known, not which hooks: of a node's own calls the
 * callee's part is in its segments, of its children's calls the caller's, and each segment that was
 * not timed took half of what an untimed pair takes.
 */
#include "report/estimates.h"

#include <stdlib.h>

#include "report/memory.h"

/* What is known of a thread of the tree, in ns, and ns^2. */
struct account {
	double lasted, explained, hooks;
	double hook_error, variance;
	double untimed_segments;
};

struct estimating {
	struct load *l;
	const struct profile *p;
	const uint32_t *map;
	double ns_per_tick;
	double callee_ns, caller_ns, untimed_ns, error_ns; /* a pair of hooks */
	double *child_calls, *timed; /* by the profile's nodes; timed < 0: throughout */
	uint32_t *period;
	struct account *accounts; /* by the tree's threads */
};

static double segments(const struct estimating *e, size_t i)
{
	return (double)e->p->nodes[i].calls + e->child_calls[i];
}

/* The part of node I's segments that was timed: 0 to 1. */
static double timed_part(const struct estimating *e, size_t i)
{
	double all = segments(e, i);
	if (e->timed[i] < 0 || e->timed[i] >= all)
		return 1;
	return e->timed[i] / all;
}

static void add_variance(struct estimating *e, uint32_t at, double variance)
{
	struct node *n = &e->l->tree.nodes[at];
	n->self.variance += variance;
	e->accounts[n->thread].variance += variance;
}

static void read_records(struct estimating *e)
{
	for (size_t i = 0; i < e->p->node_count; i++) {
		const struct zprof_node *n = &e->p->nodes[i];
		e->timed[i] = -1;
		e->period[i] = 1;
		if (n->parent != PROFILE_NO_NODE)
			e->child_calls[n->parent] += (double)n->calls;
	}
	for (size_t i = 0; i < e->p->estimate_count; i++) {
		const struct zprof_estimate *r = &e->p->estimates[i];
		uint32_t at = e->map[r->node];
		double square = (double)r->square[1] * 0x1p64 + (double)r->square[0];
		e->timed[r->node] =
		    (e->timed[r->node] < 0 ? 0 : e->timed[r->node]) + (double)r->timed;
		e->period[r->node] = r->period ? r->period : 1;
		if (at != TREE_NONE)
			add_variance(e, at, square * e->ns_per_tick * e->ns_per_tick);
	}
}

static void add_threads(struct estimating *e)
{
	for (size_t i = 0; i < e->p->thread_count; i++) {
		const struct zprof_thread *t = &e->p->threads[i];
		if (t->root == PROFILE_NO_NODE || e->map[t->root] == TREE_NONE)
			continue;
		uint32_t thread = e->l->tree.nodes[e->map[t->root]].thread;
		uint64_t ticks = t->active_ticks + (t->last_ticks - t->first_ticks);
		e->accounts[thread].lasted += (double)(int64_t)ticks * e->ns_per_tick;
		e->l->tree.threads[thread].estimated = true;
	}
}

/*
 * A throttled context was timed at first and then no more: what it took then is what it is taken to
 * have taken on. How that varied is not known; half of it is a guess.
 */
static double go_on(struct estimating *e, size_t i)
{
	const struct zprof_node *n = &e->p->nodes[i];
	double part = timed_part(e, i), more;
	if (!(ZPROF_NODE_FLAGS(n) & ZPROF_NODE_THROTTLED) || part <= 0 || e->l->raw ||
	    e->map[i] == TREE_NONE)
		return 0;
	more = (double)(int64_t)n->self_ticks * e->ns_per_tick * (1 / part - 1);
	e->l->tree.nodes[e->map[i]].self.ns += more;
	add_variance(e, e->map[i], more * more / 4 / (1.96 * 1.96));
	return more;
}

/* Node I's time, and that of its hooks, in its thread's account and in the summary of PROCESS. */
static void add_node(struct estimating *e, struct process *process, size_t i)
{
	const struct zprof_node *n = &e->p->nodes[i];
	double part = timed_part(e, i), all = segments(e, i), own = (double)n->calls;
	double taken_off = own * e->callee_ns + e->child_calls[i] * e->caller_ns;
	double hooks = part * taken_off + (1 - part) * all * e->untimed_ns / 2;
	int bucket = ZPROF_NODE_FLAGS(n) & ZPROF_NODE_THROTTLED ? LOAD_THROTTLED
								: 31 - __builtin_clz(e->period[i]);
	if (e->map[i] == TREE_NONE)
		return;
	struct account *a = &e->accounts[e->l->tree.nodes[e->map[i]].thread];
	a->explained += (double)(int64_t)n->self_ticks * e->ns_per_tick + go_on(e, i) - taken_off;
	a->hooks += hooks;
	a->hook_error += own * e->error_ns;
	a->untimed_segments += (1 - part) * all;
	process->hook_ns += hooks;
	process->timing[bucket].contexts += all > 0;
	process->timing[bucket].segments += all;
	process->timing[bucket].timed += part * all;
}

static double untimed(const struct account *a)
{
	return a->lasted - a->explained - a->hooks;
}

/*
 * What a thread's variances do not account for. With what they do, it is never less than what is
 * untimed, so that a context that had all of it is still within its bar.
 */
static double unexplained(const struct account *a)
{
	double scatter = a->variance + a->hook_error * a->hook_error;
	double square = untimed(a) * untimed(a) - scatter;
	return square > 0 ? sqrt(square) : 0;
}

/*
 * Of a call the callee's part is in its own segments and the caller's in the caller's. The
 * calibrated cost is the middle between that around functions which do nothing and that around
 * those which hide work in the hooks' shadow, the error bar reaching beyond both: functions that
 * are worth leaving out are nearer to the former.
 */
static void add_to_zone(struct estimating *e, size_t i)
{
	const struct zprof_node *n = &e->p->nodes[i];
	struct load *l = e->l;
	if (e->map[i] == TREE_NONE || n->parent == PROFILE_NO_NODE)
		return;
	uint32_t zone = l->tree.nodes[e->map[i]].zone;
	double own = timed_part(e, i), callers = timed_part(e, n->parent);
	double dearer = e->error_ns / 5;
	double pair = own * e->callee_ns + callers * e->caller_ns + (own + callers) / 2 * dearer +
		      (2 - own - callers) / 2 * e->untimed_ns;
	while (zone >= l->zone_hook_room)
		l->zone_hook_ns = memory_room(l->zone_hook_ns, l->zone_hook_room,
					      &l->zone_hook_room, sizeof *l->zone_hook_ns);
	l->zone_hook_ns[zone] += (double)n->calls * pair;
}

/* Who may have been in it. */
static void spread(struct estimating *e, size_t i)
{
	if (e->map[i] == TREE_NONE)
		return;
	struct node *to = &e->l->tree.nodes[e->map[i]];
	const struct account *a = &e->accounts[to->thread];
	double not_timed = (1 - timed_part(e, i)) * segments(e, i);
	if (not_timed > 0 && e->l->tree.threads[to->thread].estimated)
		to->self.spread_ns += unexplained(a) * not_timed / a->untimed_segments;
}

static void close_accounts(struct estimating *e)
{
	for (size_t i = 0; i < e->l->tree.thread_count; i++) {
		struct tree_thread *t = &e->l->tree.threads[i];
		const struct account *a = &e->accounts[i];
		if (t->estimated && a->lasted > 0)
			t->untimed_ns = untimed(a);
	}
}

void estimates_add(struct load *l, struct process *process, const struct profile *p,
		   const uint32_t *map)
{
	const struct zprof_header *h = &p->header;
	double unit = process->ns_per_tick / 1000;
	struct estimating e = {.l = l,
			       .p = p,
			       .map = map,
			       .ns_per_tick = process->ns_per_tick,
			       .callee_ns = h->hook_callee_milliticks * unit,
			       .caller_ns = h->hook_caller_milliticks * unit,
			       .untimed_ns = h->hook_untimed_milliticks * unit,
			       .error_ns = h->hook_error_milliticks * unit};
	e.child_calls = memory_zeroed(p->node_count, sizeof *e.child_calls);
	e.timed = memory_resize(NULL, p->node_count, sizeof *e.timed);
	e.period = memory_resize(NULL, p->node_count, sizeof *e.period);
	e.accounts = memory_zeroed(l->tree.thread_count, sizeof *e.accounts);
	read_records(&e);
	for (size_t i = 0; i < p->node_count; i++) {
		add_node(&e, process, i);
		add_to_zone(&e, i);
	}
	if (process->estimated) {
		add_threads(&e);
		for (size_t i = 0; i < p->node_count; i++)
			spread(&e, i);
		close_accounts(&e);
	}
	free(e.child_calls);
	free(e.timed);
	free(e.period);
	free(e.accounts);
}

double estimates_mean_error(const struct derived *d)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 1; i < d->function_count; i++) {
		const struct cost *self = &d->functions[i].self;
		if (self->ns <= 0 || self->ns < d->whole.ns / 100)
			continue;
		sum += cost_self_bar(self) / self->ns;
		count++;
	}
	return count ? sum / (double)count : 0;
}
