/* SPDX-License-Identifier: MIT */
/* native_paths.c - see native_paths.h. */
#include "report/second_run/native_paths.h"

#include <stdlib.h>
#include <string.h>

#include "report/core/base/memory.h"

static uint32_t host_zone(const struct native_paths *p, uint32_t context)
{
	uint32_t host = p->contexts[context].host;
	return host == NATIVE_NO_CONTEXT ? 0 : p->contexts[host].zone;
}

static void find_hosts(struct native_paths *p)
{
	for (size_t i = 0; i < p->context_count; i++) {
		struct native_context *c = &p->contexts[i];
		const struct native_context *parent =
		    c->parent == NATIVE_NO_CONTEXT ? NULL : &p->contexts[c->parent];
		c->host = parent ? parent->host : NATIVE_NO_CONTEXT;
		c->above = parent ? parent->above : NATIVE_NO_CONTEXT;
		if (c->zone) {
			c->above = c->host;
			c->host = (uint32_t)i;
		}
		c->samples = c->divided = 0;
	}
}

/* Groups contexts by zone: the contexts of zone z are of_zones[first[z], first[z + 1]). */
static void group(struct native_paths *p)
{
	p->first = memory_zeroed(p->zone_count + 2, sizeof *p->first);
	p->of_zones = memory_resize(NULL, p->context_count + 1, sizeof *p->of_zones);
	for (uint32_t i = 0; i < p->context_count; i++)
		p->first[host_zone(p, i) + 2]++;
	for (size_t z = 2; z < p->zone_count + 2; z++)
		p->first[z] += p->first[z - 1];
	for (uint32_t i = 0; i < p->context_count; i++)
		p->of_zones[p->first[host_zone(p, i) + 1]++] = i;
}

static uint32_t add_state(struct native_paths *p, struct native_state s)
{
	*memory_next(p->states, p->state_count, p->state_room) = s;
	return (uint32_t)p->state_count - 1;
}

void native_paths_init(struct native_paths *p, struct native_context *contexts, size_t count,
		       size_t zone_count)
{
	*p = (struct native_paths){
	    .contexts = contexts, .context_count = count, .zone_count = zone_count};
	find_hosts(p);
	group(p);
	add_state(p, (struct native_state){0});
}

void native_paths_free(struct native_paths *p)
{
	free(p->of_zones);
	free(p->first);
	free(p->candidates);
	free(p->states);
	free(p->steps);
	lookup_free(&p->by_step);
}

static void keep(struct native_paths *p, struct native_state *s, uint32_t context, uint32_t at)
{
	*memory_next(p->candidates, p->candidate_count, p->candidate_room) =
	    (struct native_candidate){context, at};
	s->count++;
}

static void keep_all(struct native_paths *p, struct native_state *s, uint32_t zone)
{
	for (size_t i = p->first[zone]; i < p->first[zone + 1]; i++)
		keep(p, s, p->of_zones[i], p->contexts[p->of_zones[i]].host);
}

static bool is_of(const struct native_paths *p, uint32_t at, uint32_t zone)
{
	return at == NATIVE_NO_CONTEXT ? !zone : p->contexts[at].zone == zone;
}

/* Keeps the contexts of state FROM that have ZONE on their path: as the next function outwards, or
 * with FAR anywhere further out. Zone 0 lies around the outermost function. */
static void keep_called(struct native_paths *p, struct native_state *s,
			const struct native_state *from, uint32_t zone, bool far)
{
	for (size_t i = 0; i < from->count; i++) {
		struct native_candidate c = p->candidates[from->first + i];
		uint32_t at = p->contexts[c.at].above;
		while (far && at != NATIVE_NO_CONTEXT && !is_of(p, at, zone))
			at = p->contexts[at].above;
		if (is_of(p, at, zone))
			keep(p, s, c.context, at);
	}
}

/* Makes the state that follows state FROM when ZONE is the next function outwards. */
static uint32_t make_state(struct native_paths *p, uint32_t from, uint32_t zone)
{
	struct native_state old = p->states[from], new = {.first = p->candidate_count};
	if (!from) {
		keep_all(p, &new, zone);
	} else {
		keep_called(p, &new, &old, zone, false);
		if (!new.count && zone)
			keep_called(p, &new, &old, zone, true);
	}
	return new.count ? add_state(p, new) : from;
}

static bool same_step(const void *context, uint32_t item, const void *key)
{
	const struct native_step *a = &((const struct native_paths *)context)->steps[item];
	const struct native_step *b = key;
	return a->from == b->from && a->zone == b->zone;
}

bool native_paths_add(struct native_paths *p, uint32_t zone)
{
	struct native_step step = {.from = p->state, .zone = zone};
	uint64_t hash = lookup_hash(step.from, zone);
	uint32_t item = lookup_find(&p->by_step, hash, same_step, p, &step);
	if (item == LOOKUP_NONE) {
		step.to = make_state(p, step.from, zone);
		item = (uint32_t)p->step_count;
		*memory_next(p->steps, p->step_count, p->step_room) = step;
		lookup_add(&p->by_step, hash, item);
	}
	p->state = p->steps[item].to;
	return p->states[p->state].count == 1;
}

bool native_paths_end(struct native_paths *p, bool whole)
{
	bool known = p->state;
	if (known && whole)
		native_paths_add(p, 0);
	if (known)
		p->states[p->state].samples++;
	p->state = 0;
	return known;
}

void native_paths_drop(struct native_paths *p)
{
	p->state = 0;
}

static void share_state(struct native_paths *p, const struct native_state *s)
{
	const struct native_candidate *list = p->candidates + s->first;
	double weights = 0, samples = (double)s->samples;
	for (size_t i = 0; i < s->count; i++)
		weights += p->contexts[list[i].context].weight;
	for (size_t i = 0; i < s->count; i++) {
		struct native_context *c = &p->contexts[list[i].context];
		double part = weights > 0 ? c->weight / weights : 1 / (double)s->count;
		c->samples += part * samples;
		if (s->count > 1)
			c->divided += part * samples;
	}
}

void native_paths_share(struct native_paths *p)
{
	for (size_t i = 1; i < p->state_count; i++)
		share_state(p, &p->states[i]);
}
