/* SPDX-License-Identifier: MIT */
/* load_profile.c - see load.h: adds one profile to the tree, with all its facts about contexts. */
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/times/cost_record.h"
#include "report/core/load/load_parts.h"

static size_t process_of(const struct loading *g, const struct zprof_thread *t)
{
	const struct profile_part *part = profile_find_part(g->p, t ? t->part : 0);
	return g->first_process + (part ? (size_t)(part - g->p->parts) : 0);
}

static bool same_tid(const void *context, uint32_t item, const void *key)
{
	const struct tree *t = context;
	return t->threads[item].tid == *(const uint32_t *)key;
}

/*
 * Finds the tree's thread for T. A thread has one record in each recording, but is one thread in
 * the tree. If `continued` is set, an earlier record has the same tid. TREE_NONE: T is the first.
 */
static uint32_t find_thread(const struct loading *g, const struct zprof_thread *t)
{
	if (!t || !t->continued)
		return TREE_NONE;
	return lookup_find(&g->by_tid, lookup_hash(t->tid, 0), same_tid, &g->l->tree, &t->tid);
}

static void map_root(struct loading *g, uint32_t root, const struct zprof_thread *t)
{
	size_t process = process_of(g, t);
	struct tree_thread thread = {
	    .pid = g->l->processes[process].header.pid, .count = 1, .process = (uint32_t)process};
	uint32_t index = find_thread(g, t);
	if (t) {
		memcpy(thread.name, t->name, sizeof t->name);
		thread.id = t->id;
		thread.tid = t->tid;
		thread.count = t->count > t->continued ? t->count - t->continued : !t->continued;
	} else {
		strcpy(thread.name, "(unknown)");
	}
	if (index != TREE_NONE) {
		g->l->tree.threads[index].count += thread.count;
	} else {
		index = tree_add_thread(&g->l->tree, &thread);
		if (t && !g->p->part_count)
			lookup_add(&g->by_tid, lookup_hash(t->tid, 0), index);
	}
	g->map[root] = g->l->tree.threads[index].root;
}

/* Adds the callers of a node first, whatever the order in the file. */
uint32_t load_node(struct loading *g, uint32_t node)
{
	size_t used = 0;
	uint32_t at = node;
	while (g->map[at] == TREE_NONE && g->p->nodes[at].parent != PROFILE_NO_NODE) {
		*memory_next(g->path, used, g->path_room) = at;
		at = g->p->nodes[at].parent;
	}
	if (g->map[at] == TREE_NONE)
		map_root(g, at, NULL);
	while (used) {
		uint32_t below = g->path[--used];
		const struct zprof_node *n = &g->p->nodes[below];
		uint32_t zone = n->zone ? zones_number(&g->zones, n) : ZONE_OUTSIDE;
		g->map[below] = tree_child(&g->l->tree, g->map[at], zone);
		at = below;
	}
	return g->map[node];
}

/* Adds a node's calls and cost. If a context has several nodes, they add up. */
static void charge(struct loading *g, size_t node)
{
	struct node *to = &g->l->tree.nodes[g->map[node]];
	struct cost cost = estimate_node(&g->estimate, node, to->zone);
	to->calls += g->p->nodes[node].calls;
	cost_add(&to->self, &cost);
}

/* Adds a thread's time in the kernel without samples, which belongs to no zone of the program. */
static void charge_unseen(struct loading *g, const struct zprof_thread *t)
{
	struct zprof_node kernel = {.zone = ZPROF_ZONE_OF_ID(ZPROF_ID_KERNEL)};
	struct cost cost = estimate_unseen(&g->estimate, t);
	if (cost.ns <= 0 || t->root == PROFILE_NO_NODE || g->map[t->root] == TREE_NONE)
		return;
	uint32_t zone = zones_number(&g->zones, &kernel);
	uint32_t at = tree_child(&g->l->tree, g->map[t->root], zone);
	cost_add(&g->l->tree.nodes[at].self, &cost);
}

/* Adds the costs of a merged profile, estimated as it was merged. Its nodes have the ticks. */
static void charge_merged(struct loading *g)
{
	const struct profile *p = g->p;
	bool has_clock = p->header.mode != ZPROF_MODE_COUNT;
	for (size_t i = 0; i < p->node_count; i++) {
		if (g->map[i] == TREE_NONE)
			continue;
		struct cost cost = {.ticks = (int64_t)p->nodes[i].self_ticks};
		struct node *to = &g->l->tree.nodes[g->map[i]];
		if (g->l->raw)
			cost.ns = cost.cpu_ns =
			    (double)cost.ticks *
			    (has_clock ? g->l->processes[g->first_process].ns_per_tick : 1);
		to->calls += p->nodes[i].calls;
		cost_add(&to->self, &cost);
	}
	for (size_t i = 0; i < p->cost_count && !g->l->raw; i++) {
		const struct zprof_cost *c = &p->costs[i];
		struct cost cost = cost_of_record(c);
		if (g->map[c->node] != TREE_NONE)
			cost_add(&g->l->tree.nodes[g->map[c->node]].self, &cost);
	}
}

static void charge_all(struct loading *g)
{
	const struct profile *p = g->p;
	if (p->part_count) {
		charge_merged(g);
		return;
	}
	uint32_t *zones = memory_resize(NULL, p->node_count, sizeof *zones);
	for (size_t i = 0; i < p->node_count; i++)
		zones[i] = g->map[i] == TREE_NONE ? UINT32_MAX : g->l->tree.nodes[g->map[i]].zone;
	estimate_init(&g->estimate, p, zones, g->l->zones.count, g->l->raw);
	for (size_t i = 0; i < p->node_count; i++)
		if (g->map[i] != TREE_NONE)
			charge(g, i);
	for (size_t i = 0; i < p->thread_count; i++)
		charge_unseen(g, &p->threads[i]);
	free(zones);
}

/* The average cost of a pair of hooks in the processes that P was merged from. */
static double merged_pair_ns(const struct profile *p)
{
	double hook_ns = 0, calls = 0;
	for (size_t i = 0; i < p->part_count; i++) {
		hook_ns += p->parts[i].fixed.hook_ns;
		calls += (double)p->parts[i].fixed.calls;
	}
	return calls > 0 ? hook_ns / calls : 0;
}

/* Adds the cost of all calls' hooks; and for each zone, the cost if its functions do little. */
static void add_hooks(struct loading *g)
{
	struct load *l = g->l;
	struct process *process = &l->processes[g->first_process];
	bool merged = g->p->part_count;
	double pair = merged ? merged_pair_ns(g->p) : g->estimate.pair_ns;
	double tiny = merged ? pair : g->estimate.tiny_pair_ns;
	if (!merged) {
		process->samples = g->estimate.samples;
		process->hook_ns = g->estimate.hook_ns;
		process->unsure_ns = g->estimate.unsure_ns;
	}
	for (size_t i = 0; i < g->p->node_count; i++) {
		const struct zprof_node *n = &g->p->nodes[i];
		if (g->map[i] == TREE_NONE || n->parent == PROFILE_NO_NODE)
			continue;
		uint32_t zone = l->tree.nodes[g->map[i]].zone;
		while (zone >= l->hooks_room)
			l->hooks =
			    memory_room(l->hooks, l->hooks_room, &l->hooks_room, sizeof *l->hooks);
		if (!merged) {
			process->calls += n->calls;
			if (!g->estimate.seen_in)
				process->hook_ns += (double)n->calls * g->estimate.pair_ns;
		}
		l->hooks[zone].ns += (double)n->calls * tiny;
		l->hooks[zone].calls += n->calls;
	}
}

/* The column of a counter. A name has the same column in all processes. */
static size_t column(struct load *l, const char *name)
{
	size_t i = 0;
	while (i < l->column_count && strcmp(l->columns[i], name))
		i++;
	if (i == l->column_count && i < COST_COUNTERS)
		l->columns[l->column_count++] = memory_text(name, strlen(name));
	return i;
}

/* Only an interpreter tells how its zones are left. */
static bool is_lent(const struct load *l, const struct node *n)
{
	return l->zones.list[n->zone].kind == ZPROF_ZONE_LENT;
}

static void add_extra(struct loading *g, const struct zprof_extra *e, const size_t *columns,
		      bool *seen)
{
	uint32_t at = load_node(g, e->node); /* first, because it may move the nodes */
	struct node *to = &g->l->tree.nodes[at];
	bool counts = is_lent(g->l, to) && !seen[e->node];
	uint64_t calls = counts ? g->p->nodes[e->node].calls : 0;
	seen[e->node] = true;
	if (to->zone)
		sites_add(&g->l->sites, g->l->tree.nodes[to->parent].zone, to->zone, e->site);
	struct visits v = {calls, e->reentered, e->returned, e->abandoned};
	visits_add(&to->visits, &v);
	for (size_t i = 0; i < g->p->counter_count; i++) {
		int64_t *sum = &to->self.counter[columns[i]];
		if (columns[i] < COST_COUNTERS)
			*sum = cost_ticks(*sum, (int64_t)e->counter[i]);
	}
}

/* Adds what was recorded of nodes beyond time and calls, by interpreters or for events=. */
static void add_extras(struct loading *g)
{
	_Static_assert(COST_COUNTERS == ZPROF_EXTRA_COUNTERS, "a column for each");
	size_t columns[ZPROF_EXTRA_COUNTERS];
	for (size_t i = 0; i < g->p->counter_count; i++) {
		columns[i] = column(g->l, g->p->counters[i]);
		for (size_t k = g->first_process; k < g->l->process_count; k++)
			g->l->processes[k].columns |= 1u << columns[i];
		if (columns[i] == COST_COUNTERS)
			load_warn(g->l,
				  "the counter '%s' of '%s' is left out: there are more than %d",
				  g->p->counters[i], g->p->path, COST_COUNTERS);
	}
	bool *seen = memory_zeroed(g->p->node_count, sizeof *seen);
	for (size_t i = 0; i < g->p->extra_count; i++)
		add_extra(g, &g->p->extras[i], columns, seen);
	free(seen);
}

static uint32_t zone_of(struct loading *g, uint32_t node)
{
	const struct zprof_node *n = &g->p->nodes[node];
	return n->zone ? zones_number(&g->zones, n) : ZONE_OUTSIDE;
}

/*
 * Adds ways. A context without a node in the tree was never entered, so its way is skipped. But if
 * one recording is shown, it is not: each pair of functions has only one record, in the recording
 * that saw the pair first.
 */
static void add_vias(struct loading *g)
{
	for (size_t i = 0; i < g->p->via_count; i++) {
		uint32_t node = g->p->vias[i].fixed.node, parent = g->p->nodes[node].parent;
		if (parent == PROFILE_NO_NODE || !g->p->nodes[node].zone ||
		    (g->map[node] == TREE_NONE && !g->p->recording))
			continue;
		via_add(&g->l->vias, &g->zones, &g->p->vias[i], zone_of(g, parent),
			zone_of(g, node));
	}
}

/*
 * Marks the nodes from each current node to the root: they were entered, and have not returned. If
 * functions end without a hook, nobody knows which have.
 */
static void mark_open(struct loading *g)
{
	if (g->p->header.flags & ZPROF_ENTRIES)
		return;
	for (size_t i = 0; i < g->p->thread_count; i++)
		for (int level = 0; level < ZPROF_LEVELS; level++) {
			uint32_t at = g->p->threads[i].current[level];
			if (at == PROFILE_NO_NODE || g->map[at] == TREE_NONE)
				continue;
			struct node *nodes = g->l->tree.nodes;
			for (at = g->map[at]; nodes[at].parent != at && !nodes[at].open;
			     at = nodes[at].parent)
				nodes[at].open = 1;
		}
}

void load_profile(struct load *l, const struct profile *p)
{
	struct loading g = {.l = l, .p = p, .first_process = load_add_processes(l, p)};
	size_t first_node = l->tree.count;
	zones_of_profile_init(&g.zones, &l->zones, p);
	g.map = memory_resize(NULL, p->node_count, sizeof *g.map);
	memset(g.map, 0xff, p->node_count * sizeof *g.map);
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root != PROFILE_NO_NODE &&
		    p->nodes[p->threads[i].root].parent == PROFILE_NO_NODE &&
		    g.map[p->threads[i].root] == TREE_NONE)
			map_root(&g, p->threads[i].root, &p->threads[i]);
	for (size_t i = 0; i < p->node_count; i++) {
		const struct zprof_node *n = &p->nodes[i];
		if (!n->calls && !n->self_ticks)
			continue;
		load_node(&g, (uint32_t)i);
	}
	for (size_t i = 0; i < p->sample_count; i++)
		load_node(&g, p->samples[i].node);
	for (size_t i = 0; i < p->wait_count; i++)
		load_node(&g, p->waits[i].node);
	for (size_t i = 0; i < p->cost_count; i++)
		load_node(&g, p->costs[i].node);
	for (size_t i = 0; i < p->thread_count; i++)
		for (int level = 0; level < ZPROF_LEVELS; level++)
			if (p->threads[i].current[level] != PROFILE_NO_NODE)
				load_node(&g, p->threads[i].current[level]);
	charge_all(&g);
	limits_add(l, p, g.map);
	add_hooks(&g);
	add_extras(&g);
	load_add_calls(&g);
	loader_add(l, p, &g.zones);
	add_vias(&g);
	waits_add(l, p, &g.zones, g.map, first_node);
	load_lengthen_waits(&g, first_node);
	mark_open(&g);
	tree_seal(&l->tree); /* the next profile has other threads */
	estimate_free(&g.estimate);
	zones_of_profile_free(&g.zones);
	lookup_free(&g.by_tid);
	free(g.map);
	free(g.path);
}
