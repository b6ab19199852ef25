/* SPDX-License-Identifier: MIT */
/*
 * slots.h - puts functions of ours in the place of Lua's, wherever a module calls them through its
 * table of imported functions.
 *
 * liblua itself calls its exported functions in this way, so its own debug.sethook is seen. The
 * adapter is loaded after the program's libraries, so a function of the same name in the adapter
 * would not be found before Lua's. A program that has Lua linked into itself calls it directly, and
 * the adapter is not loaded there.
 */
#ifndef ZPROF_LUA_SLOTS_H
#define ZPROF_LUA_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A loaded library, and what is at the symbol that it was searched for. */
struct slot_library {
	char path[4096];
	uintptr_t start, end; /* [start, end), of its addresses */
	uintptr_t symbol;
};

struct slot_change {
	const char *name; /* of the imported function */
	void *ours;
	size_t found; /* how many entries have been changed */
};

/*
 * Finds the library that defines the function `name` and calls it through a table. `except` may be a
 * library that is not meant. The program's own file is none.
 */
bool slots_find(const char *name, const struct slot_library *except, struct slot_library *found);

/*
 * Changes the entries that lead into `library`, of all modules that are loaded now. An entry that the
 * dynamic linker has not filled yet is changed, too, unless it may lead into another library.
 */
void slots_change(const struct slot_library *library, bool others, struct slot_change *changes,
		  size_t count);

#endif
