/* SPDX-License-Identifier: MIT */
/* native_code.c - see native_code.h. */
#include "report/second_run/native_code.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

/* ---- functions by where they begin, and by name */

static bool same_key(const void *context, uint32_t item, const void *key)
{
	const struct native_key *a = &((const struct native_code *)context)->keys[item], *b = key;
	return a->module == b->module && a->start == b->start && !a->linkage == !b->linkage &&
	       (!a->linkage || !strcmp(a->linkage, b->linkage));
}

static uint64_t hash_key(const struct native_key *k)
{
	return lookup_hash(k->module, k->linkage ? lookup_hash_text(k->linkage, 1) : k->start);
}

static uint32_t find_key(const struct native_code *c, const struct native_key *k)
{
	uint32_t item = lookup_find(&c->by_key, hash_key(k), same_key, c, k);
	return item == LOOKUP_NONE ? 0 : c->keys[item].zone;
}

static void add_key(struct native_code *c, struct native_key k)
{
	if (find_key(c, &k))
		return;
	lookup_add(&c->by_key, hash_key(&k), (uint32_t)c->key_count);
	*memory_next(c->keys, c->key_count, c->key_room) = k;
}

bool native_has_code(const struct zone *z)
{
	return !z->kind && z->module != ZONE_NO_MODULE;
}

/* Adds a function by its start and its name. A hook may be called some instructions behind the
 * start. */
static void know_function(struct native_code *c, uint32_t zone)
{
	const struct zone *z = &c->load->zones.list[zone];
	struct symbolize_result r;
	symbolize_lookup(c->load->zones.modules[z->module].symbols, z->address, &r);
	add_key(c, (struct native_key){.module = z->module, .zone = zone, .start = r.start});
	add_key(c, (struct native_key){.module = z->module, .zone = zone, .linkage = z->linkage});
}

void native_code_init(struct native_code *c, const struct load *l, const bool *by_source)
{
	*c = (struct native_code){.load = l, .by_source = by_source};
	for (uint32_t zone = 1; zone < l->zones.count; zone++)
		if (native_has_code(&l->zones.list[zone]))
			know_function(c, zone);
}

void native_code_use_plans(struct native_code *c)
{
	const struct zones *zones = &c->load->zones;
	c->plans = memory_zeroed(zones->module_count + 1, sizeof *c->plans);
	for (uint32_t m = 0; m < zones->module_count; m++)
		if (zones->modules[m].entered &&
		    plans_get(&c->plans[m], zones->modules[m].path, false, NULL))
			c->plans[m].bytes = NULL;
}

static void free_plans(struct native_code *c)
{
	for (uint32_t m = 0; c->plans && m < c->load->zones.module_count; m++)
		if (c->plans[m].bytes)
			plans_free(&c->plans[m]);
	free(c->plans);
}

void native_code_free(struct native_code *c)
{
	free_plans(c);
	lookup_free(&c->by_key);
	lookup_free(&c->by_place);
	free(c->keys);
	free(c->places);
	free(c->zones);
}

/* ---- addresses */

static bool same_place(const void *context, uint32_t item, const void *key)
{
	const struct native_place *a = &((const struct native_code *)context)->places[item];
	const struct native_place *b = key;
	return a->module == b->module && a->address == b->address;
}

static uint32_t by_name(const struct native_code *c, uint32_t module, const char *linkage)
{
	return find_key(c, &(struct native_key){.module = module, .linkage = linkage});
}

static void add_zone(struct native_code *c, struct native_place *p, uint32_t zone)
{
	if (!zone || (p->count && c->zones[c->zone_count - 1] == zone))
		return;
	*memory_next(c->zones, c->zone_count, c->zone_room) = zone;
	p->count++;
}

/* The recorded function whose code, by the plan of its file, ADDRESS is in; 0: there is none. */
static uint32_t by_plan(const struct native_code *c, uint32_t module, uint64_t address)
{
	const struct plans_held *held = c->plans ? &c->plans[module] : NULL;
	if (!held || !held->bytes || address < held->low || address - held->low > PLAN_IMAGE_BYTES)
		return 0;
	uint32_t code = plan_function_at(&held->plan, (uint32_t)(address - held->low));
	if (code == PLAN_NOBODY)
		return 0;
	uint64_t start = held->low + held->plan.codes[code].start;
	return find_key(c, &(struct native_key){.module = module, .start = start});
}

static void look_up(struct native_code *c, struct native_place *p)
{
	struct symbolize_result r;
	symbolize_lookup(c->load->zones.modules[p->module].symbols, p->address, &r);
	p->first = c->zone_count;
	for (size_t i = c->by_source[p->module] ? r.frame_count : 0; i-- > 0;)
		add_zone(c, p, by_name(c, p->module, r.frames[i].linkage));
	uint32_t zone = find_key(c, &(struct native_key){.module = p->module, .start = r.start});
	if (!zone)
		zone = by_plan(c, p->module, p->address);
	/* Part of a function's code may lie elsewhere; it has no zone at its start, but a name. */
	add_zone(c, p, zone ? zone : by_name(c, p->module, r.linkage));
}

static const struct native_place *find_place(struct native_code *c, uint32_t module,
					     uint64_t address)
{
	struct native_place place = {.address = address, .module = module};
	uint64_t hash = lookup_hash(module, address);
	uint32_t item = lookup_find(&c->by_place, hash, same_place, c, &place);
	if (item != LOOKUP_NONE)
		return &c->places[item];
	look_up(c, &place);
	lookup_add(&c->by_place, hash, (uint32_t)c->place_count);
	*memory_next(c->places, c->place_count, c->place_room) = place;
	return &c->places[c->place_count - 1];
}

const uint32_t *native_code_at(struct native_code *c, const char *file, uint64_t address,
			       size_t *count)
{
	const struct zones *zones = &c->load->zones;
	*count = 0;
	for (uint32_t m = 0; m < zones->module_count; m++) {
		if (!zones->modules[m].entered || strcmp(zones->modules[m].path, file))
			continue;
		const struct native_place *p = find_place(c, m, address);
		*count = p->count;
		if (p->count)
			return c->zones + p->first;
	}
	return NULL;
}
