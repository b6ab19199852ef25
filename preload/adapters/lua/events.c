/* SPDX-License-Identifier: MIT */
/* events.c - see events.h. */
#include "preload/adapters/lua/events.h"

#include "preload/adapters/lua/coroutines.h"
#include "preload/adapters/lua/functions.h"
#include "preload/zprof.h"

#include <stdbool.h>

static __thread struct {
	bool met;             /* zprof knows the thread */
	unsigned int skipped; /* events in pauses */
} self __attribute__((tls_model("initial-exec")));

/*
 * Whether events are left out, because of a pause. The first event afterwards enters the frames that
 * are open. A program that is all Lua calls no hook that would find a request to record, so now and
 * then the library is called.
 */
static bool in_pause(void)
{
	struct coroutine *c = coroutines_current();

	if (zprof_recording()) {
		self.met = true;
		return false;
	}
	if (c && c->frames.depth)
		frames_abandon(&c->frames, 0);
	if (self.met) {
		if (self.skipped++ % 16 == 0)
			zprof_lent_depth();
	} else {
		frames_make_known();
		self.met = true;
	}
	return true;
}

/* A mode of luaJIT_setmode(). */
enum { ENGINE_OFF = 0 };

/* LuaJIT's compiled code calls no hook, and luaopen_jit() switches the compiler on. */
static void interpret(const struct liblua *lua, struct coroutine *c, union debug *ar)
{
	if (lua->version == LUA_JIT && !c->interpreted && functions_of(lua, c->frames.state, ar)) {
		lua->setmode(c->frames.state, 0, ENGINE_OFF);
		c->interpreted = true;
	}
}

void events_hook(const struct liblua *lua, struct state *l, union debug *ar)
{
	int event = ar->v51.event;
	struct coroutine *c;
	bool hook_yielded;

	if (in_pause())
		return;
	c = coroutines_switch_to(lua, l);
	if (!c)
		return;
	hook_yielded = c->hook_yielded;
	c->hook_yielded = false;
	/* Lua 5.4 reports a call again. (For a tail call nothing tells that from another one.) */
	if (hook_yielded && event == EVENT_CALL && frames_has_on_top(&c->frames, ar))
		return;
	if (event == EVENT_CALL) {
		interpret(lua, c, ar);
		if (lua->version == LUA_JIT && frames_has_on_top(&c->frames, ar))
			frames_tail_called(&c->frames, ar);
		else
			frames_called(&c->frames, ar);
	} else if (event == EVENT_RETURN) {
		frames_returned(&c->frames, ar);
	} else if (event == EVENT_TAIL && lua->version != LUA_51 && lua->version != LUA_JIT) {
		frames_tail_called(&c->frames, ar);
	}
}

void events_yielded(const struct liblua *lua, struct state *l)
{
	struct coroutine *c = zprof_recording() ? coroutines_switch_to(lua, l) : NULL;

	if (c)
		c->hook_yielded = true;
}
