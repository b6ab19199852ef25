/* SPDX-License-Identifier: MIT */
/* lookup.c - see lookup.h. */
#include "report/core/base/lookup.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

/* The finalizer of MurmurHash3 (Austin Appleby, public domain), over the two numbers. */
uint64_t lookup_hash(uint64_t a, uint64_t b)
{
	uint64_t h = a ^ (b * 0x9e3779b97f4a7c15u);
	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdu;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53u;
	return h ^ (h >> 33);
}

uint64_t lookup_hash_text(const char *text, uint64_t seed)
{
	uint64_t h = seed ^ 0xcbf29ce484222325u;
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	return lookup_hash(h, seed);
}

uint32_t lookup_find(const struct lookup *l, uint64_t hash, lookup_same *same, const void *context,
		     const void *key)
{
	if (!l->count)
		return LOOKUP_NONE;
	uint32_t high = (uint32_t)(hash >> 32);
	for (size_t i = high & (l->count - 1);; i = (i + 1) & (l->count - 1)) {
		const struct lookup_slot *s = &l->slots[i];
		if (s->item == LOOKUP_NONE)
			return LOOKUP_NONE;
		if (s->hash == high && same(context, s->item, key))
			return s->item;
	}
}

static void put(struct lookup *l, uint32_t high, size_t at, uint32_t item)
{
	while (l->slots[at].item != LOOKUP_NONE)
		at = (at + 1) & (l->count - 1);
	l->slots[at] = (struct lookup_slot){high, item};
}

/* Doubles the slots. The slot is chosen by the upper half of the hash, because only that half is
 * kept. The half suffices, since items are numbered in 32 bits. */
static void grow(struct lookup *l)
{
	struct lookup old = *l;
	l->count = old.count ? old.count * 2 : 64;
	l->slots = memory_resize(NULL, l->count, sizeof *l->slots);
	for (size_t i = 0; i < l->count; i++)
		l->slots[i].item = LOOKUP_NONE;
	for (size_t i = 0; i < old.count; i++)
		if (old.slots[i].item != LOOKUP_NONE)
			put(l, old.slots[i].hash, old.slots[i].hash & (l->count - 1),
			    old.slots[i].item);
	free(old.slots);
}

void lookup_add(struct lookup *l, uint64_t hash, uint32_t item)
{
	if (l->used >= l->count / 4 * 3)
		grow(l);
	l->used++;
	put(l, (uint32_t)(hash >> 32), (hash >> 32) & (l->count - 1), item);
}

void lookup_free(struct lookup *l)
{
	free(l->slots);
	*l = (struct lookup){0};
}
