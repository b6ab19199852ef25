/* SPDX-License-Identifier: MIT */
/* model_counts.c - see model.h. */
#include "tests/entries/model.h"

#include "preload/process/process.h"
#include "preload/profile/file.h"
#include "preload/tree/node.h"

#include <stdlib.h>
#include <string.h>

enum { CONTEXTS = 1 << 16 };

static struct context {
	struct path path;
	long calls, library;
} * contexts;
static uint32_t slots[4 * CONTEXTS], count;

/* By which zones a path has, in the order of their numbers. */
static uint32_t zones_of(const struct path *p)
{
	uint32_t set = 0;

	for (int i = 0; i < p->count; i++)
		set |= 1u << p->zone[i];
	return set;
}

static int from_end(const struct path *p, int i)
{
	return i < p->count ? p->zone[p->count - 1 - i] : -1;
}

/*
 * A folded context has the function, its caller, and the set of functions that are open (tree/fold.h).
 */
bool path_is(const struct path *a, const struct path *b, bool folded)
{
	if (folded)
		return zones_of(a) == zones_of(b) && from_end(a, 0) == from_end(b, 0) &&
		       from_end(a, 1) == from_end(b, 1);
	return a->count == b->count && !memcmp(a->zone, b->zone, (size_t)a->count);
}

static uint32_t hash_of(const struct path *p, bool folded)
{
	uint32_t h = 2166136261u;

	if (folded)
		return (zones_of(p) * 64 + (uint32_t)from_end(p, 0) * 8 +
			(uint32_t)from_end(p, 1)) *
		       2654435761u;
	for (int i = 0; i < p->count; i++)
		h = (h ^ p->zone[i]) * 16777619u;
	return h;
}

struct path path_of_line(const struct line *line)
{
	struct path p = {.count = 0};

	for (int i = 0; i < line->count; i++)
		if (line->frame[i].entered)
			p.zone[p.count++] = (uint8_t)line->frame[i].function;
	return p;
}

static void collect(struct path *p, const char *base, const struct zprof_node *node)
{
	if (!node->parent || p->count == sizeof p->zone)
		return;
	collect(p, base, node_at((char *)base, node->parent));
	p->zone[p->count] = MODEL_CODES;
	for (uint8_t f = 0; f < MODEL_HOOKED; f++)
		if (node->zone == model_zone(f))
			p->zone[p->count] = f;
	p->count++;
}

struct path path_of_node(const char *base, const struct zprof_node *node)
{
	struct path p = {.count = 0};

	collect(&p, base, node);
	return p;
}

static struct context *find(const struct path *path, bool folded)
{
	uint32_t i = hash_of(path, folded) % (4 * CONTEXTS);

	for (; slots[i]; i = (i + 1) % (4 * CONTEXTS))
		if (path_is(&contexts[slots[i]].path, path, folded))
			return &contexts[slots[i]];
	if (++count == CONTEXTS)
		abort();
	slots[i] = count;
	contexts[count] = (struct context){*path, 0, 0};
	return &contexts[count];
}

void counts_clear(void)
{
	if (!contexts)
		contexts = malloc(CONTEXTS * sizeof *contexts);
	memset(slots, 0, sizeof slots);
	count = 0;
}

void counts_add(const struct path *path, bool folded)
{
	find(path, folded)->calls++;
}

static void add_nodes(const struct zprof_section *s, const char *base, bool folded)
{
	const struct zprof_node *node = (const struct zprof_node *)(s + 1);
	const struct zprof_node *end = (const struct zprof_node *)((const char *)s + s->used);

	for (; node < end; node++)
		if (node->calls) {
			struct path path = path_of_node(base, node);

			find(&path, folded)->library += (long)node->calls;
		}
}

int counts_differing(bool folded)
{
	const char *base = process_now->file->base;
	int differing = 0;

	for (uint64_t at = ZPROF_GRANULE; at < process_now->file->end;) {
		const struct zprof_section *s = (const struct zprof_section *)(base + at);

		if (s->type == ZPROF_SECTION_NODES)
			add_nodes(s, base, folded);
		at += s->bytes ? s->bytes : ZPROF_GRANULE;
	}
	for (uint32_t i = 1; i <= count; i++) {
		differing += contexts[i].calls != contexts[i].library;
		contexts[i].library = 0;
	}
	return differing;
}
