/* SPDX-License-Identifier: MIT */
/*
 * interpreter.h - a Lua inside of the program's own file. It calls its functions without a table, so the library
 * has the functions of fronts.h called in the place of Lua's: it takes over the entries of these.
 */
#ifndef ZPROF_LUA_INSIDE_H
#define ZPROF_LUA_INSIDE_H

#include "preload/adapters/lua/liblua.h"

#include <stdbool.h>
#include <stddef.h>

/* Of the library (preload/start/interpreter.h). */
typedef bool take_function(void **functions, void *const *ours, size_t count);

/*
 * Fills a record of luas[], and has its fronts called. False: it is no whole Lua, or of a version that is not
 * known, or its functions cannot be taken over.
 */
bool inside_take_over(take_function *take, struct liblua *lua);

#endif
