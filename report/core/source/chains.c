/* SPDX-License-Identifier: MIT */
/* chains.c - see chains.h. */
#include "report/core/source/chains.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

static bool same_link(const void *context, uint32_t item, const void *key)
{
	const struct chains *c = context;
	const struct chain_link *a = &c->links[item], *b = key;
	return a->outer == b->outer && a->place == b->place;
}

uint32_t chains_link(struct chains *c, uint32_t outer, uint32_t place)
{
	struct chain_link key = {outer, place};
	uint64_t hash = lookup_hash(outer, place);
	uint32_t found = lookup_find(&c->by_key, hash, same_link, c, &key);
	if (found != LOOKUP_NONE)
		return found;
	if (!c->count)
		*memory_next(c->links, c->count, c->room) = (struct chain_link){0};
	found = (uint32_t)c->count;
	*memory_next(c->links, c->count, c->room) = key;
	lookup_add(&c->by_key, hash, found);
	return found;
}

void chains_free(struct chains *c)
{
	free(c->links);
	lookup_free(&c->by_key);
	*c = (struct chains){0};
}
