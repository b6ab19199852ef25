/* SPDX-License-Identifier: MIT */
/*
 * lookup.h - a hash table that finds the number of an item by the item's key: open addressing,
 * linear probing.
 *
 * The keys stay in the caller's array, so a slot is 8 bytes whatever the key is. Each slot keeps
 * the upper half of the hash. This half avoids nearly every comparison of unequal keys, and lets
 * the table grow without computing hashes again.
 *
 *     slots: [hash high | item] [..|..] [empty] ...
 *
 * Invariant: the number of slots is a power of two, and at most 3/4 of them are used.
 */
#ifndef REPORT_LOOKUP_H
#define REPORT_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_NONE UINT32_MAX

struct lookup_slot {
	uint32_t hash;
	uint32_t item; /* LOOKUP_NONE: empty */
};

struct lookup {
	struct lookup_slot *slots;
	size_t count; /* of slots */
	size_t used;
};

/* Whether item number ITEM has KEY. */
typedef bool lookup_same(const void *context, uint32_t item, const void *key);

uint32_t lookup_find(const struct lookup *l, uint64_t hash, lookup_same *same, const void *context,
		     const void *key);

/* Adds an item whose key is not in the table yet. */
void lookup_add(struct lookup *l, uint64_t hash, uint32_t item);

void lookup_free(struct lookup *l);

/* Hashes of two numbers, or of a text. All bits are mixed, so any of them can be used alone. */
uint64_t lookup_hash(uint64_t a, uint64_t b);
uint64_t lookup_hash_text(const char *text, uint64_t seed);

#endif
