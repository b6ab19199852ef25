/* SPDX-License-Identifier: MIT */
/*
 * fronts.h - the functions that stand in the place of Lua's: each new state gets the adapter's hook, and
 * hooks that the program sets are called from it (chain.h).
 */
#ifndef ZPROF_LUA_FRONTS_H
#define ZPROF_LUA_FRONTS_H

#include "preload/adapters/lua/library.h"
#include "preload/adapters/lua/slots.h"

#define FRONTS_COUNT 6

/* Of each of `luas`, in the order of struct liblua. */
extern const struct slot_change fronts[LUAS][FRONTS_COUNT];

#endif
