/* SPDX-License-Identifier: MIT */
/* contexts.c - see contexts.h. */
#include "report/top/contexts.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* The factor by which an average shrinks in an interval of UNITS. */
static double keep_of(const struct contexts *c, int measure, double units)
{
	static const double usual[MEASURES] = {
	    [MEASURE_SHORT] = CONTEXTS_SHORT_S, [MEASURE_LONG] = CONTEXTS_LONG_S};
	double constant = c->constant[measure] > 0 ? c->constant[measure] : usual[measure];
	return constant > 0 ? exp(-units / constant) : 0;
}

static bool same_thread(const struct tree_thread *a, const struct tree_thread *b)
{
	return a->id == b->id && a->pid == b->pid;
}

/* The root of THREAD in C's tree. A lineage gets the name and number of its latest thread. */
static uint32_t root_of(struct contexts *c, const struct tree_thread *thread)
{
	for (size_t i = 0; i < c->tree.thread_count; i++) {
		struct tree_thread *known = &c->tree.threads[i];
		if (!same_thread(known, thread))
			continue;
		uint32_t root = known->root;
		*known = *thread;
		known->root = root;
		return root;
	}
	uint32_t new = tree_add_thread(&c->tree, thread);
	return c->tree.threads[new].root;
}

static void make_room(struct contexts *c, enum measure m)
{
	if (c->tree.count <= c->room[m])
		return;
	size_t room = c->tree.count + c->tree.count / 4;
	c->of[m] = memory_resize(c->of[m], room, sizeof *c->of[m]);
	memset(c->of[m] + c->room[m], 0, (room - c->room[m]) * sizeof *c->of[m]);
	c->room[m] = room;
}

/* Fills in `to`: for each node of FROM, its node in this tree, added if missing. Parents come
 * first. */
static void match(struct contexts *c, const struct tree *from)
{
	if (from->count > c->to_room) {
		c->to_room = from->count;
		c->to = memory_resize(c->to, c->to_room, sizeof *c->to);
	}
	for (size_t i = 0; i < from->count; i++) {
		const struct node *n = &from->nodes[i];
		c->to[i] = n->parent == i ? root_of(c, &from->threads[n->thread])
					  : tree_child(&c->tree, c->to[n->parent], n->zone);
	}
}

static void add(struct context *to, const struct node *n, double by)
{
	const struct cost *s = &n->self;
	to->calls += (double)n->calls * by;
	to->ns += s->ns * by;
	to->cpu_ns += s->cpu_ns * by;
	to->wait_ns += s->wait_ns * by;
	to->preempted_ns += s->preempted_ns * by;
	to->error_ns += s->error_ns * by;
	to->all_error_ns += s->all_error_ns * by;
	to->wait_error_ns += s->wait_error_ns * by;
	to->lengthened_ns += s->lengthened_ns * by;
	to->variance += s->variance * by * by;
	for (int i = 0; i < COST_COUNTERS; i++)
		to->counter[i] += (double)s->counter[i] * by;
}

static void fade(struct context *c, double by)
{
	c->calls *= by;
	c->ns *= by;
	c->cpu_ns *= by;
	c->wait_ns *= by;
	c->preempted_ns *= by;
	c->error_ns *= by;
	c->all_error_ns *= by;
	c->wait_error_ns *= by;
	c->lengthened_ns *= by;
	c->variance *= by * by;
	for (int i = 0; i < COST_COUNTERS; i++)
		c->counter[i] *= by;
}

void contexts_add_interval(struct contexts *c, const struct tree *from, double units)
{
	match(c, from);
	for (int m = MEASURE_NOW; m <= MEASURE_LONG; m++) {
		make_room(c, (enum measure)m);
		double keep = keep_of(c, m, units);
		for (size_t i = 0; i < c->tree.count; i++)
			fade(&c->of[m][i], keep);
		for (size_t i = 0; i < from->count; i++)
			add(&c->of[m][c->to[i]], &from->nodes[i], (1 - keep) / units);
		c->weight[m] = c->weight[m] * keep + 1 - keep;
	}
}

static void set(struct contexts *c, const struct tree *from, enum measure m)
{
	match(c, from);
	make_room(c, m);
	if (c->room[m])
		memset(c->of[m], 0, c->room[m] * sizeof *c->of[m]);
	for (size_t i = 0; i < from->count; i++)
		add(&c->of[m][c->to[i]], &from->nodes[i], 1);
	c->weight[m] = 1;
}

void contexts_set_frame(struct contexts *c, const struct tree *from)
{
	set(c, from, MEASURE_FRAME);
}

void contexts_set_all(struct contexts *c, const struct tree *from)
{
	set(c, from, MEASURE_ALL);
	for (size_t i = 0; i < c->tree.count; i++)
		c->tree.nodes[i].open = c->tree.nodes[i].low = 0;
	for (size_t i = 0; i < from->count; i++) {
		struct node *n = &c->tree.nodes[c->to[i]];
		n->open |= from->nodes[i].open;
		n->low |= from->nodes[i].low;
	}
}

static void show_node(struct node *n, const struct context *c, double by, double counts_by)
{
	n->calls = c->calls > 0 ? (uint64_t)llround(c->calls * by * counts_by) : 0;
	n->self = (struct cost){.ticks = llround(c->ns * by),
				.ns = c->ns * by,
				.cpu_ns = c->cpu_ns * by,
				.wait_ns = c->wait_ns * by,
				.preempted_ns = c->preempted_ns * by,
				.error_ns = c->error_ns * by,
				.all_error_ns = c->all_error_ns * by,
				.wait_error_ns = c->wait_error_ns * by,
				.lengthened_ns = c->lengthened_ns * by,
				.variance = c->variance * by * by};
	for (int i = 0; i < COST_COUNTERS; i++)
		n->self.counter[i] = llround(c->counter[i] * by * counts_by);
}

void contexts_show(struct contexts *c, enum measure measure)
{
	double weight = c->weight[measure];
	make_room(c, measure);
	for (size_t i = 0; i < c->tree.count; i++)
		show_node(&c->tree.nodes[i], &c->of[measure][i], weight > 0 ? 1 / weight : 0,
			  measure >= MEASURE_ALL ? 1 : CONTEXTS_COUNTS);
}

void contexts_forget_averages(struct contexts *c)
{
	for (int m = MEASURE_NOW; m <= MEASURE_LONG; m++) {
		if (c->room[m])
			memset(c->of[m], 0, c->room[m] * sizeof *c->of[m]);
		c->weight[m] = 0;
	}
}

void contexts_free(struct contexts *c)
{
	for (int m = 0; m < MEASURES; m++)
		free(c->of[m]);
	free(c->to);
	tree_free(&c->tree);
	*c = (struct contexts){0};
}
