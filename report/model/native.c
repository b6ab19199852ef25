/* SPDX-License-Identifier: MIT */
/* native.c - see native.h. */
#include "report/model/native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/base/memory.h"
#include "report/sampler/chance.h"

/* ---- functions by where they begin, and by name */

static bool same_key(const void *context, uint32_t item, const void *key)
{
	const struct native_key *a = &((const struct native *)context)->keys[item], *b = key;
	return a->module == b->module && a->start == b->start && !a->linkage == !b->linkage &&
	       (!a->linkage || !strcmp(a->linkage, b->linkage));
}

static uint64_t hash_key(const struct native_key *k)
{
	return lookup_hash(k->module, k->linkage ? lookup_hash_text(k->linkage, 1) : k->start);
}

static uint32_t find_key(const struct native *n, const struct native_key *k)
{
	uint32_t item = lookup_find(&n->by_key, hash_key(k), same_key, n, k);
	return item == LOOKUP_NONE ? 0 : n->keys[item].zone;
}

static void add_key(struct native *n, struct native_key k)
{
	if (find_key(n, &k))
		return;
	n->keys = memory_room(n->keys, n->key_count, &n->key_room, sizeof *n->keys);
	lookup_add(&n->by_key, hash_key(&k), (uint32_t)n->key_count);
	n->keys[n->key_count++] = k;
}

static bool has_code(const struct zone *z)
{
	return !z->kind && z->module != ZONE_NO_MODULE;
}

/* A hook may be called some instructions behind a function's beginning. */
static void know_function(struct native *n, uint32_t zone)
{
	const struct zone *z = &n->load->zones.list[zone];
	struct symbolize_result r;
	symbolize_lookup(n->load->zones.modules[z->module].symbols, z->address, &r);
	add_key(n, (struct native_key){.module = z->module, .zone = zone, .start = r.start});
	add_key(n, (struct native_key){.module = z->module, .zone = zone, .linkage = z->linkage});
}

/* ---- what the profile shows */

/* The innermost function with code on a node's path; UINT32_MAX: none. */
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
	*n = (struct native){.load = l, .by_source = by_source};
	n->of_zone = memory_resize(NULL, l->zones.count, sizeof *n->of_zone);
	n->functions = memory_zeroed(l->zones.count, sizeof *n->functions);
	for (uint32_t zone = 0; zone < l->zones.count; zone++) {
		n->of_zone[zone] = UINT32_MAX;
		if (!zone || !has_code(&l->zones.list[zone]))
			continue;
		n->of_zone[zone] = (uint32_t)n->count;
		n->functions[n->count++].zone = zone;
		know_function(n, zone);
	}
	add_shown(n);
}

void native_free(struct native *n)
{
	lookup_free(&n->by_key);
	lookup_free(&n->by_place);
	free(n->keys);
	free(n->places);
	free(n->functions);
	free(n->of_zone);
}

/* ---- samples */

static bool same_place(const void *context, uint32_t item, const void *key)
{
	const struct native_place *a = &((const struct native *)context)->places[item], *b = key;
	return a->module == b->module && a->address == b->address;
}

static uint32_t by_name(const struct native *n, uint32_t module, const char *linkage)
{
	return find_key(n, &(struct native_key){.module = module, .linkage = linkage});
}

static uint32_t look_up(const struct native *n, uint32_t module, uint64_t address)
{
	struct symbolize_result r;
	uint32_t zone = 0;
	symbolize_lookup(n->load->zones.modules[module].symbols, address, &r);
	for (size_t i = n->by_source[module] ? r.frame_count : 0; !zone && i-- > 0;)
		zone = by_name(n, module, r.frames[i].linkage);
	if (!zone)
		zone = find_key(n, &(struct native_key){.module = module, .start = r.start});
	return zone ? zone : by_name(n, module, r.linkage); /* of a part that lies elsewhere */
}

static uint32_t zone_at(struct native *n, uint32_t module, uint64_t address)
{
	struct native_place place = {.address = address, .module = module};
	uint64_t hash = lookup_hash(module, address);
	uint32_t item = lookup_find(&n->by_place, hash, same_place, n, &place);
	if (item != LOOKUP_NONE)
		return n->places[item].zone;
	place.zone = look_up(n, module, address);
	n->places = memory_room(n->places, n->place_count, &n->place_room, sizeof *n->places);
	lookup_add(&n->by_place, hash, (uint32_t)n->place_count);
	n->places[n->place_count++] = place;
	return place.zone;
}

bool native_take(struct native *n, const char *file, uint64_t address)
{
	const struct zones *zones = &n->load->zones;
	uint32_t zone = 0;
	for (uint32_t m = 0; m < zones->module_count && !zone; m++)
		if (zones->modules[m].entered && !strcmp(zones->modules[m].path, file))
			zone = zone_at(n, m, address);
	if (!zone)
		return false;
	n->functions[n->of_zone[zone]].samples++;
	return true;
}

/* ---- both */

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
