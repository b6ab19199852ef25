/* SPDX-License-Identifier: MIT */
/* native.c - see native.h. */
#include "report/second_run/native.h"

#include <math.h>
#include <stdlib.h>

#include "report/core/base/memory.h"
#include "report/second_run/chance.h"

/* ---- what the profile shows */

/* Adds each node's time to the innermost function with code on the node's path. */
static void add_shown(struct native *n)
{
	const struct tree *t = &n->load->tree;
	uint32_t *inside = memory_resize(NULL, t->count, sizeof *inside);
	for (size_t i = 0; i < t->count; i++) {
		const struct node *node = &t->nodes[i];
		inside[i] = n->of_zone[node->zone];
		if (inside[i] == UINT32_MAX && node->parent < i)
			inside[i] = inside[node->parent];
		if (inside[i] != UINT32_MAX)
			n->functions[inside[i]].shown_ns += node->self.cpu_ns;
	}
	free(inside);
}

void native_init(struct native *n, const struct load *l, const bool *by_source)
{
	*n = (struct native){.load = l};
	native_code_init(&n->code, l, by_source);
	n->of_zone = memory_resize(NULL, l->zones.count, sizeof *n->of_zone);
	n->functions = memory_zeroed(l->zones.count, sizeof *n->functions);
	for (uint32_t zone = 0; zone < l->zones.count; zone++) {
		n->of_zone[zone] = UINT32_MAX;
		if (!zone || !native_has_code(&l->zones.list[zone]))
			continue;
		n->of_zone[zone] = (uint32_t)n->count;
		n->functions[n->count++].zone = zone;
	}
	add_shown(n);
}

void native_free(struct native *n)
{
	native_code_free(&n->code);
	free(n->functions);
	free(n->of_zone);
}

bool native_take(struct native *n, const char *file, uint64_t address)
{
	size_t count;
	const uint32_t *zones = native_code_at(&n->code, file, address, &count);
	if (!count)
		return false;
	n->functions[n->of_zone[zones[0]]].samples++;
	return true;
}

/* ---- both runs */

static int larger_first(const void *left, const void *right)
{
	const struct native_function *a = left, *b = right;
	if (a->samples != b->samples)
		return a->samples < b->samples ? 1 : -1;
	return (a->shown_ns < b->shown_ns) - (a->shown_ns > b->shown_ns);
}

struct native_distance native_compare(struct native *n)
{
	struct native_distance d = {0};
	double samples = 0, shown = 0;
	for (size_t i = 0; i < n->count; i++) {
		samples += (double)n->functions[i].samples;
		shown += fmax(n->functions[i].shown_ns, 0);
	}
	for (size_t i = 0; i < n->count; i++) {
		struct native_function *f = &n->functions[i];
		f->share = samples > 0 ? 100 * (double)f->samples / samples : 0;
		f->shown_share = shown > 0 ? 100 * fmax(f->shown_ns, 0) / shown : 0;
		d.apart += fabs(f->share - f->shown_share) / 2;
		d.chance +=
		    chance_apart(f->share / 100, samples, (double)load_samples(n->load)) / 2;
	}
	if (n->count)
		qsort(n->functions, n->count, sizeof *n->functions, larger_first);
	return d;
}
