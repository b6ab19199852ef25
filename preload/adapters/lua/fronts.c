/* SPDX-License-Identifier: MIT */
/* fronts.c - see fronts.h. */
#include "preload/adapters/lua/fronts.h"

#include "preload/adapters/lua/chain.h"
#include "preload/adapters/lua/coroutines.h"
#include "preload/adapters/lua/events.h"
#include "preload/adapters/lua/library.h"
#include "preload/zprof.h"

#include <stdbool.h>

/* The modes of luaJIT_setmode(). */
enum { ENGINE = 0, WHAT = 0xff, ON = 0x100 };

/* The hook of a state for which the program has set none. */
static hook_function *const hooks[LUAS];

/* The program's own hook has taken the place of ours, and that has been counted. */
static bool aside[LUAS];

static int install(const struct liblua *lua, struct state *l, hook_function *f, int mask, int count)
{
	return lua->sethook(l, f, mask | MASK_CALL | MASK_RETURN, count);
}

static inline struct state *newstate(const struct liblua *lua, void *allocate, void *data)
{
	struct state *l = lua->newstate(allocate, data);

	if (l)
		install(lua, l, hooks[lua->number], 0, 0);
	return l;
}

/* Whether the state has a hook of ours. Then `f` is the program's, or NULL, and `mask` as in chain_find(). */
static bool is_ours(const struct liblua *lua, struct state *l, hook_function **f, int *mask)
{
	hook_function *set = lua->gethook(l);

	*f = NULL;
	*mask = 0;
	return set == hooks[lua->number] || chain_find(lua, set, f, mask);
}

/* The program's own hook takes our place until the program removes it. */
static int stand_aside(const struct liblua *lua, struct state *l, hook_function *f, int mask,
		       int count)
{
	struct coroutine *c = coroutines_current();
	hook_function *before;
	int before_mask;

	if (is_ours(lua, l, &before, &before_mask)) {
		if (c && c->frames.lua == lua && c->frames.state == l)
			frames_abandon(&c->frames, 0);
		zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
		aside[lua->number] = true;
	}
	return lua->sethook(l, f, mask, count);
}

static inline int sethook(const struct liblua *lua, struct state *l, hook_function *f, int mask,
			  int count)
{
	hook_function *link;

	if (!f || !mask)
		return install(lua, l, hooks[lua->number], 0, count);
	link = lua->version == LUA_JIT ? NULL : chain_link(lua, f, mask);
	return link ? install(lua, l, link, mask, count) : stand_aside(lua, l, f, mask, count);
}

static inline hook_function *gethook(const struct liblua *lua, struct state *l)
{
	hook_function *f;
	int mask;

	return is_ours(lua, l, &f, &mask) ? f : lua->gethook(l);
}

static inline int gethookmask(const struct liblua *lua, struct state *l)
{
	int set = lua->gethookmask(l), mask;
	hook_function *f;

	return is_ours(lua, l, &f, &mask) ? (set & ~(MASK_CALL | MASK_RETURN)) | mask : set;
}

/*
 * A compiler may have put lua_sethook() into its callers, where they are in one file with it. So debug.sethook()
 * of the command luajit takes the place of our hook unseen. The state's last hook tells.
 */
static inline void close_state(const struct liblua *lua, struct state *l)
{
	hook_function *f;
	int mask;

	if (!is_ours(lua, l, &f, &mask) && !aside[lua->number])
		zprof_lent_missed(ZPROF_MISSED_STRETCH, 1);
	lua->close(l);
}

/* A program that is recorded does not switch LuaJIT's compiler on. */
static inline int setmode(const struct liblua *lua, struct state *l, int index, int mode)
{
	if ((mode & WHAT) == ENGINE && (mode & ON))
		return 1;
	return lua->setmode(l, index, mode);
}

/* ---- the functions of each Lua */

/* clang-format off */
#define EACH(X) X(0) X(1) X(2) X(3)
#define FRONTS(n)                                                                                                      \
	static void hook_##n(struct state *l, union debug *ar) { events_hook(&luas[n], l, ar); }                       \
	static struct state *newstate_##n(void *f, void *data) { return newstate(&luas[n], f, data); }                 \
	static int sethook_##n(struct state *l, hook_function *f, int m, int c) { return sethook(&luas[n], l, f, m, c); } \
	static hook_function *gethook_##n(struct state *l) { return gethook(&luas[n], l); }                            \
	static int gethookmask_##n(struct state *l) { return gethookmask(&luas[n], l); }                               \
	static void close_##n(struct state *l) { close_state(&luas[n], l); }                                           \
	static int setmode_##n(struct state *l, int index, int mode) { return setmode(&luas[n], l, index, mode); }
#define HOOK(n) hook_##n,
#define OURS(n) {                                                                                                      \
	{"lua_newstate", (void *)newstate_##n}, {"lua_sethook", (void *)sethook_##n},                                  \
	{"lua_gethook", (void *)gethook_##n}, {"lua_gethookmask", (void *)gethookmask_##n},                            \
	{"lua_close", (void *)close_##n}, {"luaJIT_setmode", (void *)setmode_##n}},
/* clang-format on */

EACH(FRONTS)

static hook_function *const hooks[LUAS] = {EACH(HOOK)};

const struct slot_change fronts[LUAS][FRONTS_COUNT] = {EACH(OURS)};
