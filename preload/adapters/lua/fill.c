/* SPDX-License-Identifier: MIT */
/* fill.c - slots_fill(), see slots.h. */
#define _GNU_SOURCE /* dl_iterate_phdr, dlvsym, RTLD_DEFAULT */
#include "preload/adapters/lua/slots.h"

#include "preload/adapters/lua/imports.h"

#include <dlfcn.h>
#include <string.h>

#define EMPTY 8 /* entries of one module: one for each of the functions */

/* The dynamic linker must not be asked while it goes through the modules, so each is looked at alone. */
struct walk {
	const struct slot_change *changes;
	size_t count;
	size_t turn, module; /* the number of the module that is looked at; of the one before */
	char path[4096];
	uintptr_t base;
	struct {
		const char *name, *version;
		void **slot, *stub;
	} empty[EMPTY];
	size_t found;
};

static bool note(const struct import *i, void *walk)
{
	struct walk *w = walk;
	uintptr_t to;
	size_t k;

	for (k = 0; k < w->count && strcmp(i->name, w->changes[k].name) != 0; k++)
		;
	if (k == w->count || imports_is_bound(i, &to))
		return false;
	w->empty[w->found].name = i->name;
	w->empty[w->found].version = imports_version(i);
	w->empty[w->found].slot = i->slot;
	w->empty[w->found].stub = (void *)to;
	return ++w->found == EMPTY;
}

static int look_at_module(struct dl_phdr_info *m, size_t size, void *walk)
{
	struct walk *w = walk;

	(void)size;
	if (w->module++ != w->turn)
		return 0;
	if (strlen(m->dlpi_name) < sizeof(w->path)) {
		strcpy(w->path, m->dlpi_name);
		w->base = m->dlpi_addr;
		imports_each(m, note, w);
	}
	return 1;
}

static void *ask(void *handle, const char *name, const char *version)
{
	return version ? dlvsym(handle, name, version) : dlsym(handle, name);
}

/* False: an entry is left as it is. */
static bool fill(const struct walk *w, void *handle)
{
	bool all = true;
	size_t i;

	for (i = 0; i < w->found; i++) {
		void *of_program = ask(RTLD_DEFAULT, w->empty[i].name, w->empty[i].version);
		void *of_module = ask(handle, w->empty[i].name, w->empty[i].version);
		void *function = of_program ? of_program : of_module, *stub = w->empty[i].stub;

		if (of_program && of_module && of_program != of_module)
			all = false;
		else if (function)
			__atomic_compare_exchange_n(w->empty[i].slot, &stub, function, false,
						    __ATOMIC_RELEASE, __ATOMIC_RELAXED);
	}
	return all;
}

bool slots_fill(const struct slot_change *changes, size_t count)
{
	struct walk w = {.changes = changes, .count = count};
	bool all = true;

	for (;; w.turn++) {
		struct link_map *map;

		w.module = w.found = 0;
		if (!dl_iterate_phdr(look_at_module, &w))
			return all;
		if (!w.found)
			continue;
		/* The module stays loaded meanwhile, if it is the same one still. */
		map = dlopen(*w.path ? w.path : NULL, RTLD_NOLOAD | RTLD_LAZY);
		if (map) {
			if (map->l_addr == w.base)
				all &= fill(&w, map);
			dlclose(map);
		}
	}
}
