/* SPDX-License-Identifier: MIT */
/*
 * library.h - the Luas of the process: finds the functions of each in the shared library that has
 * them, and tells its version.
 *
 * Nothing in a state tells whose it is. So each Lua has functions of its own in front of it and hooks of
 * its own (chain.h, fronts.h), and what they call gets the Lua's record.
 */
#ifndef ZPROF_LUA_LIBRARY_H
#define ZPROF_LUA_LIBRARY_H

#include "preload/adapters/lua/liblua.h"
#include "preload/adapters/lua/slots.h"

#define LUAS 4 /* at most; fronts.c and chain.c have functions for as many */

extern struct liblua luas[LUAS];

/*
 * Fills a record of `luas`. The library stays loaded from then on, even if the program closes it. False: it is no
 * whole Lua, or of a version that is not known, and the record's version says so.
 */
bool library_find(const struct slot_library *library, struct liblua *lua);

#endif
