/* SPDX-License-Identifier: MIT */
/* only_cache.c - the cache of zones that are left out, at which the hooks look first (only.h). */
#include "preload/code/only.h"

#include "preload/base/sys.h"
#include "preload/process/process.h"

uint64_t *only_out;

bool only_cache_make(struct only *only)
{
	if (!only->cache)
		only->cache = sys_memory(ONLY_CACHE * sizeof(*only->cache));
	if (only->cache)
		only_out = only->cache;
	return only->cache != NULL;
}

void only_cache_forget(struct process *p)
{
	uint32_t i;

	for (i = 0; p->only->active && i < ONLY_CACHE; i++)
		__atomic_store_n(&p->only->cache[i], 0, __ATOMIC_SEQ_CST);
}
