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

#include <stddef.h>

struct slot_change {
	const char *name; /* of the imported function */
	void *ours;
	size_t found; /* how many entries have been changed */
};

/* Changes the entries of all modules that are loaded now, but for those of the adapter itself. */
void slots_change(struct slot_change *changes, size_t count);

#endif
