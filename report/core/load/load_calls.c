/* SPDX-License-Identifier: MIT */
/* load_calls.c - see load.h: calls by the place that they were made from, and samples by theirs. */
#include "report/core/load/load_parts.h"

/* The file that a lent zone's caller is in: that of the innermost lent zone below. */
static uint32_t caller_file(struct loading *g, uint32_t node)
{
	struct load *l = g->l;
	const struct node *nodes = l->tree.nodes;
	uint32_t at = nodes[node].parent;
	while (nodes[at].parent != at && l->zones.list[nodes[at].zone].kind != ZPROF_ZONE_LENT)
		at = nodes[at].parent;
	return places_file(&l->places, l->zones.list[nodes[at].zone].file);
}

static uint32_t place_of(struct loading *g, const struct zprof_call *c, uint32_t node)
{
	struct places *places = &g->l->places;
	const struct profile_module *module = profile_find_module(g->p, ZPROF_CALL_MODULE(c));
	if (ZPROF_CALL_FLAGS(c) & ZPROF_CALL_LENT)
		return places_lent(places, caller_file(g, node), (uint32_t)c->site);
	if (!module)
		return PLACE_UNKNOWN;
	return places_at(places, zones_module_number(&g->zones, module),
			 c->site - module->fixed.bias, ZPROF_CALL_FLAGS(c) & ZPROF_CALL_INLINED);
}

/* Takes over a place from a merged profile, which holds file and line. */
static void tell_place(struct loading *g, const struct profile_place *told)
{
	struct places *places = &g->l->places;
	const struct profile_module *module = profile_find_module(g->p, told->fixed.module);
	if (!module)
		return;
	uint32_t place = places_at(places, zones_module_number(&g->zones, module),
				   told->fixed.address, told->fixed.flags & ZPROF_CALL_INLINED);
	places_tell(places, place, places_file(places, told->file), told->fixed.line,
		    told->fixed.column);
}

/* The thread that a node of the profile is of; NULL: unknown. */
static const struct zprof_thread *thread_of(const struct profile *p, uint32_t node)
{
	while (p->nodes[node].parent != PROFILE_NO_NODE)
		node = p->nodes[node].parent;
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root == node)
			return &p->threads[i];
	return NULL;
}

/* A weight within bounds: if the program was killed at the wrong instruction of a call, the file
 * may hold any value. */
static double weight(const struct loading *g, double ns)
{
	double most = g->l->processes[g->first_process].elapsed_ns * 2 + 1e9;
	return ns > 0 && (ns < most || g->p->part_count) ? ns : 0;
}

/*
 * Samples are few: if none, or one, of two places has one, that says little. So calls count too:
 * all those of a context weigh as much as one sample.
 */
static double expected(const struct loading *g, const struct zprof_call *c)
{
	uint64_t calls = g->p->nodes[c->node].calls;
	if (g->p->header.mode == ZPROF_MODE_EXACT || g->p->part_count || !calls)
		return 0;
	return g->p->header.sample_period_ns * ((double)c->calls / (double)calls);
}

/* The byte before an address tells its place. */
static void add_sampled(struct loading *g, const struct zprof_call *c)
{
	const struct profile_module *module = profile_find_module(g->p, ZPROF_CALL_MODULE(c));
	struct tree_call call = {.self_ns = weight(g, (double)c->self_ns), .sampled = true};
	if (!module)
		return;
	call.place = places_at(&g->l->places, zones_module_number(&g->zones, module),
			       c->site - module->fixed.bias + 1, false);
	tree_add_call(&g->l->tree, load_node(g, c->node), &call);
}

static void add_call(struct loading *g, const struct zprof_call *c)
{
	const struct zprof_header *h = &g->p->header;
	bool exact = h->mode == ZPROF_MODE_EXACT && !g->p->part_count;
	double scale = exact ? g->l->processes[g->first_process].ns_per_tick : 1;
	int64_t total = exact ? c->total_ticks : c->total_ns;
	const struct zprof_thread *t = c->open ? thread_of(g->p, c->node) : NULL;
	uint32_t node = load_node(g, c->node);
	if (t)
		total = cost_ticks(total, exact ? (int64_t)(t->last_ticks - h->start_ticks)
						: (int64_t)t->program_ns);
	struct tree_call call = {
	    .place = place_of(g, c, node),
	    .calls = c->calls,
	    .total_ns = weight(g, (double)total * scale) + expected(g, c),
	    .self_ns =
		weight(g, (double)(exact ? c->self_ticks : c->self_ns) * scale) + expected(g, c)};
	tree_add_call(&g->l->tree, node, &call);
}

/* For an interpreter's contexts without such a record, all calls are assumed to come from the place
 * of the first. */
static void add_first_site(struct loading *g, const struct zprof_extra *e)
{
	uint32_t node = load_node(g, e->node);
	struct tree_call call = {.calls = g->p->nodes[e->node].calls};
	if (!e->site || g->l->tree.nodes[node].first_call)
		return;
	call.place = places_lent(&g->l->places, caller_file(g, node), e->site);
	tree_add_call(&g->l->tree, node, &call);
}

void load_add_calls(struct loading *g)
{
	const struct profile *p = g->p;
	g->l->calls_by_place |= p->call_count > 0;
	for (size_t i = 0; i < p->place_count; i++)
		tell_place(g, &p->places[i]);
	for (size_t i = 0; i < p->call_count; i++)
		if (ZPROF_CALL_FLAGS(&p->calls[i]) & ZPROF_CALL_SAMPLED)
			add_sampled(g, &p->calls[i]);
		else
			add_call(g, &p->calls[i]);
	for (size_t i = 0; i < p->extra_count; i++)
		add_first_site(g, &p->extras[i]);
}
