/* SPDX-License-Identifier: MIT */
/*
 * events.h - what Lua's hook tells becomes calls and returns of zones.
 *
 * The adapter must never run Lua code, raise an error, or leave anything on Lua's stack.
 */
#ifndef ZPROF_LUA_EVENTS_H
#define ZPROF_LUA_EVENTS_H

#include "preload/adapters/lua/liblua.h"

/* A call, a return or a tail call in the coroutine `l` of `lua`. */
void events_hook(const struct liblua *lua, struct state *l, union debug *ar);

/* The program's own hook has made a coroutine of Lua 5.4 yield, in a line or a count. */
void events_yielded(const struct liblua *lua, struct state *l);

#endif
