/* SPDX-License-Identifier: MIT */
/* opened.c - see opened.h. */
#include "report/top/opened.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

static size_t find(const struct opened *o, uint64_t key)
{
	size_t i = 0;
	while (i < o->count && o->keys[i] != key)
		i++;
	return i;
}

bool opened_has(const struct opened *o, uint64_t key, bool root)
{
	return (find(o, key) < o->count) != root;
}

void opened_turn(struct opened *o, uint64_t key)
{
	size_t at = find(o, key);
	if (at < o->count)
		o->keys[at] = o->keys[--o->count];
	else
		*memory_next(o->keys, o->count, o->room) = key;
}

void opened_free(struct opened *o)
{
	free(o->keys);
	*o = (struct opened){0};
}
