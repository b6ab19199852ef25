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
 * A link is a compiled function that belongs to one `f` and to one choice of call and return. So the
 * state itself keeps what the program has set, and a coroutine inherits it from its creator in Lua's own
 * manner. A table by coroutine would have to follow each one's beginning and end, and would need memory
 * where a signal's handler sets a hook, as the command `lua` does.
 *
 * Lines and counts need no choice: Lua reports them if the program asked for them, and not otherwise.
 * Lua counts instructions only for lines and counts, so that calls and returns in the mask change no
 * count.
 *
 * No link does anything after it has called `f`: that may raise an error, or yield.
 *
 * Not for LuaJIT, which has one hook for all coroutines, and is left to it.
 */
#ifndef ZPROF_LUA_CHAIN_H
#define ZPROF_LUA_CHAIN_H

#include "preload/adapters/lua/liblua.h"

#include <stdbool.h>

/* The adapter's hook, for calls, returns and tail calls. Set before the first event. */
extern hook_function *chain_first;

/*
 * The link that calls the program's `f`. NULL: the program has used more functions as hooks than there
 * are links for. Safe in threads and in handlers of signals.
 */
hook_function *chain_link(hook_function *f, int mask);

/*
 * Whether `hook` is a link. Then `f` is the program's function, and `mask` says which of calls and
 * returns it asked for.
 */
bool chain_find(hook_function *hook, hook_function **f, int *mask);

#endif
