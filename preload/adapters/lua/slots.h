/* SPDX-License-Identifier: MIT */
/*
 * slots.h - puts functions of ours in the place of Lua's, wherever a module calls them through its
 * table of imported functions.
 *
 * liblua itself calls its exported functions in this way, so its own debug.sethook is seen. The
 * adapter is loaded after the program's libraries, so a function of the same name in the adapter
 * would not be found before Lua's. A program that has Lua linked into itself calls it directly: see
 * inside.h.
 */
#ifndef ZPROF_LUA_SLOTS_H
#define ZPROF_LUA_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A loaded library. */
struct slot_library {
	char path[4096];
	uintptr_t start, end; /* [start, end), of its addresses */
};

struct slot_change {
	const char *name; /* of the imported function */
	void *ours;
};

/*
 * Finds a library that defines the function `name` and calls it through a table, and is none of the
 * `count` that are `known`. The program's own file is none.
 */
bool slots_find(const char *name, const struct slot_library *known, size_t count,
		struct slot_library *found);

/*
 * Changes the entries that lead into `library`, of all modules that are loaded now. If it is the only
 * one of its kind, entries that the dynamic linker has not filled yet are changed, too.
 */
void slots_change(const struct slot_library *library, bool only, const struct slot_change *changes,
		  size_t count);

/*
 * Where there are several libraries with functions of these names: fills the entries that the dynamic
 * linker has not filled yet, with what it would. It looks for a symbol where the program's own
 * libraries are first, and then among those that the module came with; but some modules say, or the
 * program says of them, that they come first. So an entry for which the two answers differ is left to the
 * linker. False: there was such a one.
 */
bool slots_fill(const struct slot_change *changes, size_t count);

#endif
