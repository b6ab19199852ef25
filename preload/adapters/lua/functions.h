/* SPDX-License-Identifier: MIT */
/*
 * functions.h - the zones of Lua functions.
 *
 * A Lua function is known by its chunk and its lines: closures of one function share a zone, and so do
 * functions that stand on the same line. Records are kept for the life of the process.
 */
#ifndef ZPROF_LUA_FUNCTIONS_H
#define ZPROF_LUA_FUNCTIONS_H

#include "preload/adapters/lua/liblua.h"

/*
 * The zone of the function that runs in the frame `ar`, made at its first call. 0: a function in C, or
 * no memory.
 */
uint32_t functions_of(const struct liblua *lua, struct state *l, union debug *ar);

#endif
