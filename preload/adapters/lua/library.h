/* SPDX-License-Identifier: MIT */
/*
 * library.h - the Luas of the process: finds the functions of each in the file that has them,
 * and tells its version.
 *
 * Nothing in a state tells whose it is. So each Lua has functions of its own in front of it and hooks of
 * its own (chain.h, fronts.h), and what they call gets the Lua's record.
 */
#ifndef ZPROF_LUA_LIBRARY_H
#define ZPROF_LUA_LIBRARY_H

#include "preload/adapters/lua/liblua.h"

#include <stdbool.h>

#define LUAS 4 /* at most; fronts.c and chain.c have functions for as many */

extern struct liblua luas[LUAS];

/*
 * Fills a record of `luas`. `path`: of a loaded library, which stays loaded from then on, even if the program
 * closes it; NULL: the program's own file. False: it is no whole Lua, or of a version that is not known, and
 * the record's version says so.
 */
bool library_find(const char *path, struct liblua *lua);

#endif
