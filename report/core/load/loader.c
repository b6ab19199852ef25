/* SPDX-License-Identifier: MIT */
/* loader.c - see loader.h. */
#include "report/core/load/loader.h"

#include <stdlib.h>

#include "report/core/base/memory.h"

void *loader_kept(const struct loader_memory *m, const struct loader *by)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->list[i].by == by)
			return m->list[i].memory;
	return NULL;
}

void *loader_keep(struct loader_memory *m, const struct loader *by, size_t bytes)
{
	void *memory = loader_kept(m, by);
	if (memory)
		return memory;
	memory = memory_zeroed(1, bytes);
	*memory_next(m->list, m->count, m->room) = (struct loader_kept){by, memory};
	return memory;
}

void loader_memory_free(struct loader_memory *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->list[i].memory);
	free(m->list);
	*m = (struct loader_memory){0};
}

const struct option_spec *loader_options_at(size_t i)
{
	for (int k = 0; loaders[k]; k++)
		if (loaders[k]->options && !i--)
			return loaders[k]->options;
	return NULL;
}

void loader_add(struct load *l, const struct profile *p, struct zones_of_profile *zones)
{
	for (int i = 0; loaders[i]; i++)
		if (loaders[i]->add)
			loaders[i]->add(l, p, zones);
}

void loader_forget(struct loader_memory *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		if (kept->list[i].by->forget)
			kept->list[i].by->forget(kept->list[i].memory);
}

void loader_free(struct loader_memory *kept)
{
	for (size_t i = 0; i < kept->count; i++)
		if (kept->list[i].by->free)
			kept->list[i].by->free(kept->list[i].memory);
	loader_memory_free(kept);
}

bool loader_check(const struct load *l, const struct options *o, struct str *err)
{
	for (int i = 0; loaders[i]; i++)
		if (loaders[i]->check && !loaders[i]->check(l, o, err))
			return false;
	return true;
}

bool loader_choose(struct options *o, struct load_set *sets, size_t count, unsigned *how,
		   struct str *err)
{
	for (int i = 0; loaders[i]; i++)
		if (loaders[i]->choose && !loaders[i]->choose(o, sets, count, how, err))
			return false;
	return true;
}

bool loader_make_sides(struct options *o, struct str *err)
{
	for (int i = 0; loaders[i]; i++)
		if (loaders[i]->make_sides && !loaders[i]->make_sides(o, err))
			return false;
	return true;
}

void loader_list(struct loader_pieces *to, const struct profile *p, const void *bytes, size_t n,
		 struct zones *zones)
{
	for (int i = 0; loaders[i]; i++)
		if (loaders[i]->list)
			loaders[i]->list(to, p, bytes, n, zones);
}
