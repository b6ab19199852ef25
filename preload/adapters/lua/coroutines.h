/* SPDX-License-Identifier: MIT */
/* coroutines.h - which coroutine's zones are on the calling thread's zone stack. */
#ifndef ZPROF_LUA_COROUTINES_H
#define ZPROF_LUA_COROUTINES_H

#include "preload/adapters/lua/frames.h"

/* A coroutine, or the main one of a state. */
struct coroutine {
	struct coroutine *next;
	struct frames frames;
	uint64_t owner; /* the number of the thread whose zone stack has the zones */
	uint64_t stack; /* for zprof_lent_switch() */
	bool interpreted;
	bool hook_yielded; /* since its last event */
};

/* Makes `l`, of `lua`, the coroutine whose zones are on the zone stack, unless it is already. NULL: no memory. */
struct coroutine *coroutines_switch_to(const struct liblua *lua, struct state *l);

/* The coroutine whose zones are there now. NULL: none. */
struct coroutine *coroutines_current(void);

#endif
