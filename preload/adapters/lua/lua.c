/* SPDX-License-Identifier: MIT */
/*
 * lua.c - the adapter of Lua: reports calls of Lua functions by Lua's own hook.
 *
 * Each state gets the hook as it is made; a coroutine inherits it. Which frames are open is kept for
 * each coroutine (frames.h). A hook of the program's own is called from ours (chain.h).
 *
 * The adapter must never run Lua code, raise an error, or leave anything on Lua's stack.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "preload/adapters/lua/chain.h"
#include "preload/adapters/lua/coroutines.h"
#include "preload/adapters/lua/functions.h"
#include "preload/adapters/lua/library.h"
#include "preload/adapters/lua/slots.h"
#include "preload/zprof.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT void adapter_look(void);

static __thread struct {
	bool met;             /* zprof knows the thread */
	unsigned int skipped; /* events in pauses */
} self __attribute__((tls_model("initial-exec")));

/* ---- events */

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

/* The modes of luaJIT_setmode(). */
enum { ENGINE = 0, WHAT = 0xff, OFF = 0, ON = 0x100 };

/* LuaJIT's compiled code calls no hook, and luaopen_jit() switches the compiler on. */
static void interpret(struct coroutine *c, union debug *ar)
{
	if (lua.version == LUA_JIT && !c->interpreted && functions_of(c->frames.state, ar)) {
		lua.setmode(c->frames.state, 0, ENGINE | OFF);
		c->interpreted = true;
	}
}

static void hook(struct state *l, union debug *ar)
{
	int event = ar->v51.event;
	struct coroutine *c;
	bool hook_yielded;

	if (in_pause())
		return;
	c = coroutines_switch_to(l);
	if (!c)
		return;
	hook_yielded = c->hook_yielded;
	c->hook_yielded = false;
	/* Lua 5.4 reports a call again. (For a tail call nothing tells that from another one.) */
	if (hook_yielded && event == EVENT_CALL && frames_has_on_top(&c->frames, ar))
		return;
	if (event == EVENT_CALL) {
		interpret(c, ar);
		if (lua.version == LUA_JIT && frames_has_on_top(&c->frames, ar))
			frames_tail_called(&c->frames, ar);
		else
			frames_called(&c->frames, ar);
	} else if (event == EVENT_RETURN) {
		frames_returned(&c->frames, ar);
	} else if (event == EVENT_TAIL && lua.version != LUA_51 && lua.version != LUA_JIT) {
		frames_tail_called(&c->frames, ar);
	}
}

static void yielded(struct state *l)
{
	struct coroutine *c = zprof_recording() ? coroutines_switch_to(l) : NULL;

	if (c)
		c->hook_yielded = true;
}

/* ---- what stands in the place of Lua's functions */

static int install(struct state *l, hook_function *f, int mask, int count)
{
	return lua.sethook(l, f, mask | MASK_CALL | MASK_RETURN, count);
}

static struct state *newstate(void *allocate, void *data)
{
	struct state *l = lua.newstate(allocate, data);

	if (l)
		install(l, hook, 0, 0);
	return l;
}

/* Whether the state has a hook of ours. Then `f` is the program's, or NULL, and `mask` as in chain_find(). */
static bool is_ours(struct state *l, hook_function **f, int *mask)
{
	hook_function *set = lua.gethook(l);

	*f = NULL;
	*mask = 0;
	return set == hook || chain_find(set, f, mask);
}

/* The program's own hook takes our place until the program removes it. */
static int stand_aside(struct state *l, hook_function *f, int mask, int count)
{
	struct coroutine *c = coroutines_current();
	hook_function *before;
	int before_mask;

	if (is_ours(l, &before, &before_mask)) {
		if (c && c->frames.state == l)
			frames_abandon(&c->frames, 0);
		zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
	}
	return lua.sethook(l, f, mask, count);
}

static int sethook(struct state *l, hook_function *f, int mask, int count)
{
	hook_function *link;

	if (!f || !mask)
		return install(l, hook, 0, count);
	link = lua.version == LUA_JIT ? NULL : chain_link(f, mask);
	return link ? install(l, link, mask, count) : stand_aside(l, f, mask, count);
}

static hook_function *gethook(struct state *l)
{
	hook_function *f;
	int mask;

	return is_ours(l, &f, &mask) ? f : lua.gethook(l);
}

static int gethookmask(struct state *l)
{
	int set = lua.gethookmask(l), mask;
	hook_function *f;

	return is_ours(l, &f, &mask) ? (set & ~(MASK_CALL | MASK_RETURN)) | mask : set;
}

/* A program that is recorded does not switch LuaJIT's compiler on. */
static int setmode(struct state *l, int index, int mode)
{
	if ((mode & WHAT) == ENGINE && (mode & ON))
		return 1;
	return lua.setmode(l, index, mode);
}

/* ---- the beginning, and what the program loads later */

static pthread_mutex_t looking = PTHREAD_MUTEX_INITIALIZER;

/* In a forked child: a thread that was looking is not there. What it has begun, the next look repeats. */
static void look_anew(void)
{
	looking = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* Called as the adapter is loaded, and after each dlopen() of the program. */
EXPORT void adapter_look(void)
{
	static bool known, refused;
	static struct slot_library library;
	struct slot_library other;
	struct slot_change changes[] = {
	    {"lua_newstate", (void *)newstate, 0},  {"lua_sethook", (void *)sethook, 0},
	    {"lua_gethook", (void *)gethook, 0},    {"lua_gethookmask", (void *)gethookmask, 0},
	    {"luaJIT_setmode", (void *)setmode, 0},
	};
	bool others;

	pthread_mutex_lock(&looking);
	if (!known)
		known = slots_find("lua_newstate", NULL, &library) && library_find(&library);
	others = known && slots_find("lua_newstate", &library, &other) &&
		 dlsym(RTLD_DEFAULT, "lua_newstate") != (void *)library.symbol;
	if (known && lua.version != LUA_UNKNOWN)
		slots_change(&library, others, changes, sizeof(changes) / sizeof(changes[0]));
	/* Lua is of a version that is not known, or it is a second Lua beside the one that is known. */
	if (!refused && (!known || lua.version == LUA_UNKNOWN || others)) {
		zprof_lent_missed(ZPROF_MISSED_INTERPRETER, 1);
		refused = true;
	}
	pthread_mutex_unlock(&looking);
}

static __attribute__((constructor)) void begin(void)
{
	const char *options = getenv("ZPROF_OPTIONS");

	chain_first = hook;
	chain_yielded = yielded;
	frames_with_lines = options && strstr(options, "callsites=1");
	pthread_atfork(NULL, NULL, look_anew);
	adapter_look();
}
