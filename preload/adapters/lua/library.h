/* SPDX-License-Identifier: MIT */
/*
 * library.h - finds Lua's functions in the shared library that has them, and tells its version.
 */
#ifndef ZPROF_LUA_LIBRARY_H
#define ZPROF_LUA_LIBRARY_H

#include "preload/adapters/lua/liblua.h"
#include "preload/adapters/lua/slots.h"

/*
 * Fills `lua`. The library stays loaded from then on, even if the program closes it. False: it is no
 * whole Lua.
 */
bool library_find(const struct slot_library *library);

#endif
