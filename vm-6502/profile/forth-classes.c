/* SPDX-License-Identifier: MIT */
/* forth-classes: the map from addresses to classes of forth-buckets.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vm-6502/profile/forth-buckets.h"
#include "vm-6502/native/forth-next.h"

static int ascending(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static bool contains(const struct forth_bucket *bucket, uint32_t at)
{
	return bucket->start <= at && at < bucket->end;
}

/* The class of an address, made if there is none; CLASS_ETC when memory runs out. */
static uint32_t class_of(struct forth_buckets *b, uint32_t at, uint32_t *set)
{
	struct forth_class class = {0};
	uint32_t size = UINT32_MAX;

	for (uint32_t i = 0; i < b->buckets; i++) {
		uint32_t bytes = b->bucket[i].end - b->bucket[i].start;
		if (!contains(&b->bucket[i], at))
			continue;
		set[class.buckets++] = i;
		if (bytes <= size) {
			size = bytes;
			class.inner = i;
		}
	}
	for (uint32_t i = 0; i < b->classes; i++) {
		if (b->class[i].buckets == class.buckets &&
		    (!class.buckets ||
		     memcmp(b->class[i].bucket, set, class.buckets * sizeof *set) == 0))
			return i;
	}
	class.bucket = malloc((class.buckets + 1) * sizeof *set);
	if (!class.bucket || b->classes >= CLASS_KEEP) {
		free(class.bucket);
		return CLASS_ETC;
	}
	memcpy(class.bucket, set, class.buckets * sizeof *set);
	if (!forth_buckets_add_class(b, class)) {
		free(class.bucket);
		return CLASS_ETC;
	}
	return b->classes - 1;
}

static void fill_ask(const struct forth_buckets *b, uint32_t class)
{
	uint8_t *ask = b->class[class].ask;

	forth_next_map(ask);
	for (uint32_t at = b->core_end; at < 0x10000; at++)
		ask[at] |= b->class_at[at] != class ? FORTH_ASK : 0;
}

bool forth_classes_map(struct forth_buckets *b)
{
	uint32_t *cut = malloc((2 * b->buckets + 2) * sizeof *cut);
	uint32_t *set = malloc((b->buckets + 1) * sizeof *set), cuts = 0;

	if (!cut || !set || (!b->classes && !forth_buckets_add_class(b, (struct forth_class){0}))) {
		free(cut);
		free(set);
		return false;
	}
	b->core_end = forth_image_core_end(&b->image, b->m);
	cut[cuts++] = 0;
	cut[cuts++] = 0x10000;
	for (uint32_t i = 0; i < b->buckets; i++) {
		cut[cuts++] = b->bucket[i].start;
		cut[cuts++] = b->bucket[i].end;
	}
	qsort(cut, cuts, sizeof *cut, ascending);
	for (uint32_t i = 0; i + 1 < cuts; i++) {
		uint32_t class = cut[i] < cut[i + 1] ? class_of(b, cut[i], set) : 0;
		for (uint32_t at = cut[i]; at < cut[i + 1]; at++)
			b->class_at[at] = class;
	}
	for (uint32_t at = 0; at < b->core_end; at++)
		b->class_at[at] = CLASS_KEEP;
	for (uint32_t i = 0; i < b->classes; i++) {
		if (b->class[i].ask)
			fill_ask(b, i);
	}
	free(cut);
	free(set);
	return true;
}

uint8_t *forth_buckets_ask(struct forth_buckets *b, uint32_t class)
{
	if (!b->class[class].ask) {
		b->class[class].ask = malloc(0x10000);
		if (!b->class[class].ask)
			return NULL;
		fill_ask(b, class);
	}
	return b->class[class].ask;
}

bool forth_class_has(const struct forth_class *class, uint32_t bucket)
{
	for (uint32_t i = 0; i < class->buckets; i++) {
		if (class->bucket[i] == bucket)
			return true;
	}
	return false;
}

/* Whether another class already has the innermost bucket's name. */
static bool is_taken(const struct forth_buckets *b, const char *name)
{
	for (uint32_t i = 0; i < b->classes; i++) {
		if (b->class[i].name && strcmp(b->class[i].name, name) == 0)
			return true;
	}
	return false;
}

const char *forth_class_name(struct forth_buckets *b, uint32_t class)
{
	struct forth_class *k = &b->class[class];
	char name[256] = "(etc)";
	size_t used = 0;
	bool taken;

	if (k->name)
		return k->name;
	if (k->buckets)
		snprintf(name, sizeof name, "%s", b->bucket[k->inner].name);
	taken = is_taken(b, name);
	for (uint32_t i = 0; taken && i < k->buckets && used < sizeof name; i++)
		used += snprintf(name + used, sizeof name - used, "%s%s", i ? "+" : "",
				 b->bucket[k->bucket[i]].name);
	k->name = strdup(name);
	return k->name ? k->name : "";
}
