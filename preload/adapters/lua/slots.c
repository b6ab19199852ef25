/* SPDX-License-Identifier: MIT */
/* slots.c - see slots.h. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "preload/adapters/lua/slots.h"

#include "preload/adapters/lua/imports.h"

#include <string.h>

/* ---- the libraries */

struct search {
	const char *name;
	const struct slot_library *known;
	size_t count;
	struct slot_library *found;
};

static bool is_own_function(const struct import *i, void *search)
{
	const struct search *s = search;

	return i->own && !strcmp(i->name, s->name);
}

static bool is_known(const struct search *s)
{
	size_t i;

	for (i = 0; i < s->count && s->known[i].start != s->found->start; i++)
		;
	return i < s->count;
}

static int look_at_module(struct dl_phdr_info *m, size_t size, void *search)
{
	const struct search *s = search;

	(void)size;
	if (!*m->dlpi_name || strlen(m->dlpi_name) >= sizeof(s->found->path) ||
	    !imports_each(m, is_own_function, search))
		return 0;
	imports_range(m, &s->found->start, &s->found->end);
	if (is_known(s))
		return 0;
	strcpy(s->found->path, m->dlpi_name);
	return 1;
}

bool slots_find(const char *name, const struct slot_library *known, size_t count,
		struct slot_library *found)
{
	struct search s = {name, known, count, found};

	return dl_iterate_phdr(look_at_module, &s) != 0;
}

/* ---- what stands in the place of their functions */

struct walk {
	const struct slot_library *library;
	bool only;
	const struct slot_change *changes;
	size_t count;
};

static bool change(const struct import *i, void *walk)
{
	const struct walk *w = walk;
	uintptr_t to;
	size_t k;

	for (k = 0; k < w->count && strcmp(i->name, w->changes[k].name) != 0; k++)
		;
	if (k < w->count &&
	    (imports_is_bound(i, &to) ? to >= w->library->start && to < w->library->end : w->only))
		imports_store(i, w->changes[k].ours);
	return false;
}

static int change_module(struct dl_phdr_info *m, size_t size, void *walk)
{
	(void)size;
	imports_each(m, change, walk);
	return 0;
}

void slots_change(const struct slot_library *library, bool only, const struct slot_change *changes,
		  size_t count)
{
	struct walk w = {library, only, changes, count};

	dl_iterate_phdr(change_module, &w);
}
