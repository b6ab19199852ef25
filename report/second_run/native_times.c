/* SPDX-License-Identifier: MIT */
/* native_times.c - see native_times.h. */
#include "report/second_run/native_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"
#include "report/core/times/estimate.h"
#include "report/core/read/profile_write.h"

#define LIBRARY "libzprof.so"

/* A sample that fits several contexts is divided in proportion to their times in the first run.
 * This is the error of such a part, as a share of it. */
#define DIVIDED_ERROR 0.25

/* ---- contexts: nodes of all threads and zone stacks, by path */

static bool same_context(const void *context, uint32_t item, const void *key)
{
	const struct native_context *a = &((const struct native_times *)context)->contexts[item];
	const struct native_context *b = key;
	return a->parent == b->parent && a->host == b->host;
}

static uint32_t add_context(struct native_times *n, struct native_context c)
{
	*memory_next(n->contexts, n->context_count, n->context_room) = c;
	return (uint32_t)n->context_count - 1;
}

/* Finds or adds a context. While contexts are collected, `host` is the zone, whether it has code or
 * not. */
static uint32_t find_context(struct native_times *n, uint32_t parent, uint32_t zone)
{
	struct native_context c = {.parent = parent, .host = zone};
	uint64_t hash = lookup_hash(parent, zone);
	uint32_t item = lookup_find(&n->by_caller, hash, same_context, n, &c);
	if (item != LOOKUP_NONE)
		return item;
	if (native_has_code(&n->code.load->zones.list[zone]) && zone)
		c.zone = zone;
	item = add_context(n, c);
	lookup_add(&n->by_caller, hash, item);
	return item;
}

/* Finds the contexts, callers first, whatever the order in the file. */
static void find_contexts(struct native_times *n, const uint32_t *zones)
{
	const struct profile *p = n->profile;
	uint32_t *path = NULL;
	size_t room = 0;
	n->context_of = memory_resize(NULL, p->node_count, sizeof *n->context_of);
	for (size_t i = 0; i < p->node_count; i++)
		n->context_of[i] = p->nodes[i].parent == PROFILE_NO_NODE ? 0 : NATIVE_NO_CONTEXT;
	for (uint32_t i = 0; i < p->node_count; i++) {
		size_t used = 0;
		for (uint32_t at = i; n->context_of[at] == NATIVE_NO_CONTEXT;
		     at = p->nodes[at].parent)
			*memory_next(path, used, room) = at;
		while (used) {
			uint32_t at = path[--used];
			n->context_of[at] =
			    find_context(n, n->context_of[p->nodes[at].parent], zones[at]);
		}
	}
	free(path);
}

/* The weight of a node: its time in the first run. Between nodes with next to no time, calls
 * decide. The library's own work has no weight, since the second run does not do it. */
static double weight_of(const struct native_times *n, const struct estimate *e, size_t node,
			uint32_t zone)
{
	const struct zprof_node *p = &n->profile->nodes[node];
	if (n->code.load->zones.list[zone].kind == ZPROF_ZONE_OWN)
		return 0;
	return fmax(estimate_node(e, node, zone).cpu_ns, 0) + 1e-3 * (double)(p->calls + 1);
}

static void weigh(struct native_times *n, const uint32_t *zones, size_t zone_count)
{
	const struct profile *p = n->profile;
	struct estimate e;
	estimate_init(&e, p, zones, zone_count, false);
	n->weights = memory_resize(NULL, p->node_count, sizeof *n->weights);
	for (size_t i = 0; i < p->node_count; i++) {
		n->weights[i] = weight_of(n, &e, i, zones[i]);
		n->contexts[n->context_of[i]].weight += n->weights[i];
	}
	estimate_free(&e);
}

void native_times_init(struct native_times *n, struct load *l, struct profile *p,
		       const bool *by_source)
{
	struct zones_of_profile of;
	uint32_t *zones = memory_resize(NULL, p->node_count, sizeof *zones);
	*n = (struct native_times){.profile = p};
	zones_of_profile_init(&of, &l->zones, p);
	for (size_t i = 0; i < p->node_count; i++)
		zones[i] = p->nodes[i].zone ? zones_number(&of, &p->nodes[i]) : ZONE_OUTSIDE;
	zones_of_profile_free(&of);
	native_code_init(&n->code, l, by_source);
	add_context(n, (struct native_context){.parent = NATIVE_NO_CONTEXT});
	find_contexts(n, zones);
	weigh(n, zones, l->zones.count);
	native_paths_init(&n->paths, n->contexts, n->context_count, l->zones.count);
	free(zones);
}

void native_times_free(struct native_times *n)
{
	native_paths_free(&n->paths);
	native_code_free(&n->code);
	lookup_free(&n->by_caller);
	free(n->contexts);
	free(n->context_of);
	free(n->weights);
}

/* ---- samples */

bool native_times_frame(void *times, const char *file, uint64_t address)
{
	struct native_times *n = times;
	size_t count;
	bool known = false;
	if (!strcmp(zones_base_name(file), LIBRARY)) {
		n->in_library = true;
		return true;
	}
	const uint32_t *zones = native_code_at(&n->code, file, address, &count);
	for (size_t i = 0; i < count && !known; i++)
		known = native_paths_add(&n->paths, zones[i]);
	return known;
}

void native_times_sampled(void *times, bool whole)
{
	struct native_times *n = times;
	if (n->in_library) {
		native_paths_drop(&n->paths);
		n->own++;
	} else if (native_paths_end(&n->paths, whole)) {
		n->samples++;
	} else {
		n->outside++;
	}
	n->in_library = false;
}

/* ---- the file */

/* How much time a sample stands for, without the cost of taking it. */
static double ns_of_each(const struct native_times *n, uint64_t period_ns, double price_ns,
			 uint64_t lost)
{
	double told = (double)(n->samples + n->outside + n->own);
	double ns = (double)period_ns - fmin(price_ns, (double)period_ns / 2);
	return ns * (told + (double)lost) / told;
}

/* Adds the time outside every zone: at most as much as in the first run. */
static void add_outside(struct native_times *n, double ns_each)
{
	struct native_context *c = &n->contexts[0];
	c->samples = fmin((double)n->outside, c->weight / ns_each);
	c->divided = c->samples;
}

static uint32_t reference_of(const struct profile *p, uint32_t node)
{
	size_t i = 0;
	while (node - p->ranges[i].index >= p->ranges[i].count)
		i++;
	return p->ranges[i].first + (uint32_t)(node - p->ranges[i].index);
}

/* The part of a context's samples that goes to NODE. */
static struct zprof_native record_of(const struct native_times *n, uint32_t node, double ns_each)
{
	const struct native_context *c = &n->contexts[n->context_of[node]];
	double part = c->weight > 0 ? n->weights[node] / c->weight : 0;
	double doubt = DIVIDED_ERROR * c->divided * part * ns_each;
	return (struct zprof_native){
	    .samples = (uint32_t)(c->samples * part + 0.5),
	    .cpu_ns = c->samples * part * ns_each,
	    .variance = c->samples * part * ns_each * ns_each + doubt * doubt,
	};
}

bool native_times_write(struct native_times *n, uint64_t period_ns, double price_ns, uint64_t lost,
			struct str *err)
{
	const struct profile *p = n->profile;
	struct zprof_header header = p->header;
	struct profile_records records = {0};
	struct profile_writer w;
	double ns_each = ns_of_each(n, period_ns, price_ns, lost);
	native_paths_share(&n->paths);
	add_outside(n, ns_each);
	for (uint32_t i = 0; i < p->node_count; i++) {
		struct zprof_native r = record_of(n, i, ns_each);
		r.node = reference_of(p, i);
		if (r.cpu_ns > 0)
			profile_records_put(&records, &r, sizeof r);
	}
	header.native_samples = n->samples;
	header.native_period_ns = period_ns;
	uint64_t end = (header.mapped_bytes + ZPROF_GRANULE - 1) / ZPROF_GRANULE * ZPROF_GRANULE;
	bool ok = profile_write_add_to(&w, p->path, p->path, end, err);
	if (ok) {
		profile_write_section(&w, ZPROF_SECTION_NATIVE, records.bytes, records.used);
		ok = profile_write_end(&w, &header, err);
	}
	profile_records_free(&records);
	return ok;
}
