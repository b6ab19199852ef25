/* SPDX-License-Identifier: MIT */
/* load_calls.c - see load.h: adds calls and samples by their places. */
#include "report/core/load/load_parts.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* The file with a lent zone's caller: the file of the next lent zone on the way to the root. */
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

/* Sets a place's file and line from a merged profile, which has them. */
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

/* The thread to which a node of the profile belongs; NULL: unknown. */
static const struct zprof_thread *thread_of(const struct profile *p, uint32_t node)
{
	while (p->nodes[node].parent != PROFILE_NO_NODE)
		node = p->nodes[node].parent;
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].root == node)
			return &p->threads[i];
	return NULL;
}

/* A weight within bounds. If the program was killed at the wrong instruction of a call, the file
 * may have any value there. */
static double weight(const struct loading *g, double ns)
{
	double most = g->l->processes[g->first_process].elapsed_ns * 2 + 1e9;
	return ns > 0 && (ns < most || g->p->part_count) ? ns : 0;
}

/*
 * The weight of calls. Samples are few: if one of two places has a sample and the other has none,
 * that says little. So calls count too: all calls of a context together weigh as much as one
 * sample.
 */
static double expected(const struct loading *g, const struct zprof_call *c)
{
	uint64_t calls = g->p->nodes[c->node].calls;
	if (g->p->header.mode == ZPROF_MODE_EXACT || g->p->part_count || !calls)
		return 0;
	return g->p->header.sample_period_ns * ((double)c->calls / (double)calls);
}

/* Adds samples by their place. The 1 is for places_at(), which takes an address behind a call. */
static void add_samples(struct loading *g, uint32_t node, uint32_t module_id, uint64_t address,
			struct tree_call call)
{
	const struct profile_module *module = profile_find_module(g->p, module_id);
	call.sampled = true;
	if (module)
		call.place = places_at(&g->l->places, zones_module_number(&g->zones, module),
				       address - module->fixed.bias + 1, false);
	tree_add_call(&g->l->tree, load_node(g, node), &call);
}

/* Of a merged profile, or one that was recorded with callsites=1 and inside=0. */
static void add_sampled(struct loading *g, const struct zprof_call *c)
{
	add_samples(g, c->node, ZPROF_CALL_MODULE(c), c->site,
		    (struct tree_call){.calls = c->calls,
				       .self_ns = weight(g, (double)c->self_ns),
				       .kernel = ZPROF_CALL_FLAGS(c) & ZPROF_CALL_KERNEL});
}

/* Adds the addresses of samples, and, as an unknown place, the samples without an address. */
static void add_insides(struct loading *g)
{
	const struct profile *p = g->p;
	if (!p->inside_count)
		return;
	double *rest = memory_zeroed(p->node_count, sizeof *rest);
	for (size_t i = 0; i < p->sample_count; i++)
		rest[p->samples[i].node] +=
		    (double)p->samples[i].user_ns + (double)p->samples[i].kernel_ns;
	for (size_t i = 0; i < p->inside_count; i++) {
		const struct zprof_inside *in = &p->insides[i];
		double ns = weight(g, (double)in->ns);
		rest[in->node] -= ns;
		if (in->samples)
			add_samples(g, in->node, ZPROF_INSIDE_MODULE(in), in->address,
				    (struct tree_call){.calls = in->samples,
						       .self_ns = ns,
						       .kernel = ZPROF_INSIDE_FLAGS(in) &
								 ZPROF_INSIDE_KERNEL});
	}
	for (size_t i = 0; i < p->sample_count; i++) {
		uint32_t node = p->samples[i].node;
		if (rest[node] > 0)
			add_samples(g, node, 0, 0, (struct tree_call){.self_ns = rest[node]});
		rest[node] = 0;
	}
	free(rest);
}

/* Adds samples by their places in the kernel, which are on no line of any source. */
static void add_kernels(struct loading *g)
{
	struct places *places = &g->l->places;
	for (size_t i = 0; i < g->p->kernel_count; i++) {
		const struct zprof_inside *in = &g->p->kernels[i];
		const struct profile_module *module =
		    profile_find_module(g->p, ZPROF_INSIDE_MODULE(in));
		if (!module || !in->samples || strcmp(module->path, ZPROF_KERNEL_PATH))
			continue;
		struct tree_call samples = {
		    .place = places_at(places, zones_module_number(&g->zones, module),
				       in->address - module->fixed.bias + 1, false),
		    .calls = in->samples,
		    .self_ns = weight(g, (double)in->ns),
		    .sampled = true,
		    .kernel = true};
		places_tell(places, samples.place, 0, 0, 0);
		tree_add_kernel(&g->l->tree, load_node(g, in->node), &samples);
	}
}

/* The place of a step of a chain, which is none in a kernel whose addresses mean nothing. */
static uint32_t step_place(struct loading *g, const struct zprof_chain *c, uint32_t step)
{
	const struct profile_module *module =
	    profile_find_module(g->p, c->module[step] & 0xffffffu);
	if (!module)
		return PLACE_UNKNOWN;
	return places_at(&g->l->places, zones_module_number(&g->zones, module),
			 c->address[step] - module->fixed.bias + 1, false);
}

static void add_chains(struct loading *g)
{
	for (size_t i = 0; i < g->p->chain_count; i++) {
		const struct zprof_chain *c = &g->p->chains[i];
		struct tree_call samples = {.place = step_place(g, c, 0),
					    .calls = c->samples,
					    .self_ns = weight(g, (double)c->ns),
					    .sampled = true,
					    .kernel = c->module[0] >> 24 & ZPROF_INSIDE_KERNEL};
		for (uint32_t step = c->count - 1; step; step--)
			samples.chain =
			    chains_link(&g->l->chains, samples.chain, step_place(g, c, step));
		if (samples.kernel)
			places_tell(&g->l->places, samples.place, 0, 0, 0);
		if (c->samples)
			tree_add_chain(&g->l->tree, load_node(g, c->node), &samples);
	}
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

/*
 * Adds the calls of an interpreter's context that has no record of calls: all are assumed to come
 * from the place of the first.
 */
static void add_first_site(struct loading *g, const struct zprof_extra *e)
{
	uint32_t node = load_node(g, e->node);
	struct tree_call call = {.calls = g->p->nodes[e->node].calls};
	if (!e->site)
		return;
	call.place = places_lent(&g->l->places, caller_file(g, node), e->site);
	tree_add_call(&g->l->tree, node, &call);
}

void load_add_calls(struct loading *g)
{
	const struct profile *p = g->p;
	bool *recorded = memory_zeroed(p->node_count, sizeof *recorded);
	g->l->places_by_sample |= p->inside_count > 0;
	for (size_t i = 0; i < p->place_count; i++)
		tell_place(g, &p->places[i]);
	for (size_t i = 0; i < p->call_count; i++)
		if (ZPROF_CALL_FLAGS(&p->calls[i]) & ZPROF_CALL_SAMPLED) {
			g->l->places_by_sample = true;
			add_sampled(g, &p->calls[i]);
		} else {
			g->l->calls_by_place = true;
			recorded[p->calls[i].node] = true;
			add_call(g, &p->calls[i]);
		}
	add_insides(g);
	add_kernels(g);
	add_chains(g);
	for (size_t i = 0; i < p->extra_count; i++)
		if (!recorded[p->extras[i].node])
			add_first_site(g, &p->extras[i]);
	free(recorded);
}
