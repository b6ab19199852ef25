/* SPDX-License-Identifier: MIT */
/* sites.c - see sites.h. A pair has few places; their list is kept sorted. */
#include "report/core/source/sites.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

#define SITES_SHOWN 3

struct pair {
	uint32_t caller, callee;
};

static bool same_pair(const void *context, uint32_t item, const void *key)
{
	const struct sites *s = context;
	const struct pair *k = key;
	return s->list[item].caller == k->caller && s->list[item].callee == k->callee;
}

uint32_t sites_find(const struct sites *s, uint32_t caller, uint32_t callee)
{
	struct pair key = {caller, callee};
	uint32_t head = lookup_find(&s->by_pair, lookup_hash(caller, callee), same_pair, s, &key);
	return head == LOOKUP_NONE ? SITES_NONE : s->list[head].next;
}

/* The head of a pair's list: an item without a place, which callers never see. */
static uint32_t head_of(struct sites *s, uint32_t caller, uint32_t callee)
{
	struct pair key = {caller, callee};
	uint64_t hash = lookup_hash(caller, callee);
	uint32_t head = lookup_find(&s->by_pair, hash, same_pair, s, &key);
	if (head != LOOKUP_NONE)
		return head;
	lookup_add(&s->by_pair, hash, (uint32_t)s->count);
	*memory_next(s->list, s->count, s->room) = (struct site){caller, callee, 0, 0, SITES_NONE};
	return (uint32_t)s->count - 1;
}

static int order(const struct site *s, uint32_t line, uint32_t column)
{
	return memory_order(s->line, line) ?: memory_order(s->column, column);
}

void sites_add(struct sites *s, uint32_t caller, uint32_t callee, uint32_t place)
{
	uint32_t line = place >> 12, column = place & 0xfff;
	if (!place)
		return;
	uint32_t before = head_of(s, caller, callee), at = s->list[before].next;
	while (at != SITES_NONE && order(&s->list[at], line, column) < 0) {
		before = at;
		at = s->list[at].next;
	}
	if (at != SITES_NONE && !order(&s->list[at], line, column))
		return;
	*memory_next(s->list, s->count, s->room) = (struct site){caller, callee, line, column, at};
	s->list[before].next = (uint32_t)s->count - 1;
}

void sites_free(struct sites *s)
{
	free(s->list);
	lookup_free(&s->by_pair);
	*s = (struct sites){0};
}

void sites_append(struct str *text, const struct sites *s, uint32_t caller, uint32_t callee)
{
	int shown = 0;
	for (uint32_t at = sites_find(s, caller, callee); at != SITES_NONE; at = s->list[at].next) {
		const struct site *site = &s->list[at];
		if (shown == SITES_SHOWN) {
			str_add(text, " ...");
			return;
		}
		str_add(text, "%s%u", shown++ ? ", " : " at ", site->line);
		if (site->column)
			str_add(text, ":%u", site->column);
	}
}
