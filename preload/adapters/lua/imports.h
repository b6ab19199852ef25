/* SPDX-License-Identifier: MIT */
/* imports.h - the table of imported functions of a loaded module, through which it calls other modules. */
#ifndef ZPROF_LUA_IMPORTS_H
#define ZPROF_LUA_IMPORTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct imports; /* the tables of a module */

struct import {
	const struct dl_phdr_info *module;
	const struct imports *tables;
	size_t number; /* of its symbol */
	const char *name;
	void **slot;   /* the entry */
	uintptr_t own; /* where the module itself has a function of the name; 0: it has none */
};

/* Calls `f` for each import of `m`, until it returns true. Returns whether it did. */
bool imports_each(const struct dl_phdr_info *m, bool (*f)(const struct import *, void *data),
		  void *data);

/* The version of the symbol that the module asks for, or NULL. */
const char *imports_version(const struct import *i);

/*
 * Whether the dynamic linker has filled the entry, and where it leads to then. One that is not filled
 * leads to a stub of the module's own, which asks the dynamic linker.
 */
bool imports_is_bound(const struct import *i, uintptr_t *to);

/* The addresses of a module, [start, end). */
void imports_range(const struct dl_phdr_info *m, uintptr_t *start, uintptr_t *end);

void imports_store(const struct import *i, void *function);

#endif
