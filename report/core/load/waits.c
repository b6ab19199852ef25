/* SPDX-License-Identifier: MIT */
/* waits.c - see waits.h. */
#include "report/core/load/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/names/facts.h"
#include "report/core/load/load.h"

/*
 * If at least this many waits of a context were noted, the other waits are divided in the same
 * proportions. The error of that is a tenth of the divided time, and the share of other calls in
 * the noted waits.
 */
#define NOTED_LEAST  100
#define SHARED_ERROR 0.1

struct naming {
	struct load *l;
	const struct profile *p;
	struct zones_of_profile *zones;
};

/* ---- names */

static void note_fact(struct load *l, uint32_t module, uint64_t start, uint64_t size,
		      const char *name)
{
	struct wait_facts *f = &l->wait_facts;
	for (size_t i = 0; i < f->count; i++)
		if (f->list[i].module == module && f->list[i].start == start)
			return;
	*memory_next(f->list, f->count, f->room) = (struct wait_fact){module, start, size, name};
}

static void add_function(struct naming *n, uint64_t address, struct str *to)
{
	const struct profile_module *m = profile_module_at(n->p, address);
	if (!m) {
		str_add(to, "0x%llx", (unsigned long long)address);
		return;
	}
	uint32_t module = zones_module_number(n->zones, m);
	struct fact_name found =
	    facts_bare_name(n->zones->zones, module, address - m->fixed.bias - 1);
	if (found.known)
		note_fact(n->l, module, found.start, found.size, found.name);
	str_add(to, "%s", found.name);
}

/* Adds the name of the variable at ADDRESS; false if none is known. */
static bool add_variable(struct naming *n, uint64_t address, struct str *to)
{
	const struct profile_module *m = profile_module_at(n->p, address);
	if (!m)
		return false;
	uint32_t module = zones_module_number(n->zones, m);
	struct fact_name found = facts_variable(n->zones->zones, module, address - m->fixed.bias);
	uint64_t offset = address - m->fixed.bias - found.start;
	if (found.known)
		note_fact(n->l, module, found.start, found.size, found.name);
	str_add(to, "%s", found.name);
	if (offset)
		str_add(to, "+0x%llx", (unsigned long long)offset);
	return true;
}

/* The place of the call that returns to ADDRESS; PLACE_UNKNOWN if its line is unknown. */
static uint32_t place_of_call(struct naming *n, uint64_t address)
{
	struct places *places = &n->l->places;
	const struct profile_module *m = address ? profile_module_at(n->p, address) : NULL;
	if (!m)
		return PLACE_UNKNOWN;
	uint32_t module = zones_module_number(n->zones, m);
	uint32_t place = places_at(places, module, address - m->fixed.bias, false);
	places_find_one(places, place, n->zones->zones);
	return places->list[place].line ? place : PLACE_UNKNOWN;
}

/* Names the object of a wait: by its variable, or by its address. Returns the number of the place
 * where an object without a variable was made. */
static uint32_t add_object(struct naming *n, const struct zprof_wait *w, struct str *to)
{
	str_add(to, " ");
	if (add_variable(n, w->object, to))
		return PLACE_UNKNOWN;
	str_add(to, "0x%llx", (unsigned long long)w->object);
	uint32_t number = place_of_call(n, w->made_at);
	const struct places *places = &n->l->places;
	const struct code_place *place = &places->list[number];
	if (number != PLACE_UNKNOWN)
		str_add(to, ", made at %s:%u", zones_base_name(places->files[place->file]),
			place->line);
	return number;
}

static uint32_t zone_of(struct naming *n, const struct zprof_wait *w)
{
	struct str name = {0};
	uint32_t made = PLACE_UNKNOWN;
	const char *call = wait_calls_name(w->call);
	str_add(&name, "[wait] ");
	if (w->call == ZPROF_WAIT_OUTSIDE)
		str_add(&name, "page fault or stop");
	else if (w->call == ZPROF_WAIT_HOOK)
		str_add(&name, "zprof");
	else if (w->call == ZPROF_WAIT_PLACE)
		add_function(n, w->place, &name);
	else if (w->flags & ZPROF_WAIT_LOCK)
		str_add(&name, "lock");
	else if (call)
		str_add(&name, "%s", call);
	else
		str_add(&name, "system call %d", w->call % ZPROF_WAIT_ARM64);
	if (w->object)
		made = add_object(n, w, &name);
	const struct code_place *place = &n->l->places.list[made];
	uint32_t number =
	    zones_wait(n->zones->zones, name.text, n->l->places.files[place->file], place->line);
	n->zones->zones->list[number].alone =
	    w->call == ZPROF_WAIT_OUTSIDE || wait_calls_alone(w->call);
	str_free(&name);
	return number;
}

/* ---- costs */

/* Moves a cost of NODE to its child in ZONE. DOUBT_NS: how much of it may be another child's. */
static void move(struct load *l, uint32_t node, uint32_t zone, const struct cost *cost,
		 double doubt_ns)
{
	uint32_t child = tree_child(&l->tree, node, zone);
	struct node *to = &l->tree.nodes[child];
	cost_add(&to->self, cost);
	to->self.error_ns += doubt_ns;
	to->self.wait_error_ns += doubt_ns;
	to->calls += (uint64_t)cost->waits;
	cost_subtract(&l->tree.nodes[node].self, cost);
}

/* The cost of waiting for NS in WAITS waits. */
static struct cost cost_of(const struct profile *p, double ns, int64_t waits)
{
	bool exact = p->header.mode == ZPROF_MODE_EXACT;
	return (struct cost){.ticks = llround(exact ? ns / profile_ns_per_tick(&p->header) : ns),
			     .ns = ns,
			     .wait_ns = ns,
			     .waits = waits};
}

/* A record of waits, and its node in the tree. */
struct placed {
	const struct zprof_wait *wait;
	uint32_t node;
};

static int by_node(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;
	return memory_order(a->node, b->node);
}

static double beyond(double whole, double part)
{
	return whole > part ? whole - part : 0;
}

/* The waits of a node: the noted ones, and all others. */
struct sums {
	double noted_ns, noted, more_ns, more;
};

static struct sums sum_up(const struct cost *all, const struct placed *list, size_t count)
{
	struct sums s = {0};
	for (size_t i = 0; i < count; i++) {
		s.noted_ns += (double)list[i].wait->waited_ns;
		s.noted += (double)list[i].wait->waits;
	}
	if (s.noted >= NOTED_LEAST && s.noted_ns > 0) {
		s.more_ns = beyond(all->wait_ns, s.noted_ns);
		s.more = beyond((double)all->waits, s.noted);
	}
	return s;
}

/* Divides the waits of one node among the records LIST[0, COUNT). Counts add up exactly. */
static void give_out(struct naming *n, const struct placed *list, size_t count)
{
	struct sums s = sum_up(&n->l->tree.nodes[list->node].self, list, count);
	double share = 0;
	int64_t given = 0;
	for (size_t i = 0; i < count; i++) {
		const struct zprof_wait *w = list[i].wait;
		double part = s.more_ns > 0 ? (double)w->waited_ns / s.noted_ns : 0;
		double shared_ns = s.more_ns * part;
		share += s.more * ((double)w->waits / s.noted);
		int64_t shared = llround(share) - given;
		given += shared;
		struct cost cost = cost_of(n->p, (double)w->waited_ns + shared_ns,
					   cost_ticks((int64_t)w->waits, shared));
		move(n->l, list->node, zone_of(n, w), &cost,
		     shared_ns * fmin(1, SHARED_ERROR + 1 - part));
	}
}

/* Moves the rest of a node's waits to a zone of their own. */
static void give_out_rest(struct naming *n, uint32_t node)
{
	const struct cost *self = &n->l->tree.nodes[node].self;
	if (self->waits <= 0 || self->wait_ns <= 0)
		return;
	struct cost cost = cost_of(n->p, self->wait_ns, self->waits);
	move(n->l, node, zones_wait(n->zones->zones, "[wait] (not told apart)", "", 0), &cost, 0);
}

void waits_add(struct load *l, const struct profile *p, struct zones_of_profile *zones,
	       const uint32_t *map, size_t first)
{
	struct naming n = {l, p, zones};
	size_t end = l->tree.count, count = 0;
	if (!(p->header.flags & ZPROF_OFFCPU) || p->header.sampler != ZPROF_SAMPLER_KERNEL ||
	    p->part_count)
		return;
	struct placed *list = memory_resize(NULL, p->wait_count, sizeof *list);
	for (size_t i = 0; i < p->wait_count; i++)
		if (map[p->waits[i].node] != TREE_NONE && p->waits[i].waits)
			list[count++] = (struct placed){&p->waits[i], map[p->waits[i].node]};
	memory_sort(list, count, by_node);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && list[next].node == list[i].node; next++)
			continue;
		give_out(&n, &list[i], next - i);
	}
	free(list);
	for (size_t i = first; i < end; i++)
		give_out_rest(&n, (uint32_t)i);
}
