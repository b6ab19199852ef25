/* SPDX-License-Identifier: MIT */
/*
 * chain.h - the program's own hook, called from the adapter's, for the events that the program asked for.
 *
 * A Lua state has room for one hook. If the program sets one, the state gets a hook of this file in its
 * place, with the program's mask and count and the events that the adapter needs:
 *
 *	the program sets        (f, mask, count)
 *	the state has           (link, mask | call | return, count)
 *	an event                link -> the adapter's hook, and then f, if it is an event of `mask`
 *
 * A link is a compiled function that belongs to one Lua, one `f` and one choice of call and return. So the
 * state itself keeps what the program has set, and a coroutine inherits it from its creator in Lua's own
 * manner. A table by coroutine would have to follow each one's beginning and end, and would need memory
 * where a signal's handler sets a hook, as the command `lua` does.
 *
 * Lines and counts need no choice: Lua reports them if the program asked for them, and not otherwise.
 * Lua counts instructions only for lines and counts, so that calls and returns in the mask change no
 * count.
 *
 * `f` may raise an error, so nothing depends on what a link does after it has called `f`. If `f` yields, it
 * returns to the link first. Lua 5.4 reports a call again if its first line or count yielded, so the
 * adapter is told.
 *
 * Not for LuaJIT, which has one hook for all coroutines, and is left to it.
 */
#ifndef ZPROF_LUA_CHAIN_H
#define ZPROF_LUA_CHAIN_H

#include "preload/adapters/lua/liblua.h"

#include <stdbool.h>

/*
 * The link of `lua` that calls the program's `f`. NULL: the program has used more functions as hooks of
 * this Lua than there are links for. Safe in threads and in handlers of signals.
 */
hook_function *chain_link(const struct liblua *lua, hook_function *f, int mask);

/*
 * Whether `hook` is a link of `lua`. Then `f` is the program's function, and `mask` says which of calls
 * and returns it asked for.
 */
bool chain_find(const struct liblua *lua, hook_function *hook, hook_function **f, int *mask);

#endif
