/* SPDX-License-Identifier: MIT */
/*
 * liblua.h - the part of Lua's C interface that the adapter uses, declared so that zprof builds
 * without Lua's headers. The functions are found by dlsym().
 */
#ifndef ZPROF_LUA_LIBLUA_H
#define ZPROF_LUA_LIBLUA_H

#include <stddef.h>
#include <stdint.h>

struct state;

enum version { LUA_UNKNOWN, LUA_51, LUA_52, LUA_53, LUA_54, LUA_JIT };

enum {
	EVENT_CALL = 0,
	EVENT_RETURN = 1,
	EVENT_LINE = 2,
	EVENT_COUNT = 3,
	EVENT_TAIL = 4, /* 5.1: a return, of a lost frame */
};
enum { YIELDED = 1 }; /* a status */
enum { MASK_CALL = 1, MASK_RETURN = 2 };

/* struct lua_Debug, whose layout is in the manual of each version. */
struct debug_51 { /* and LuaJIT */
	int event;
	const char *name, *namewhat, *what, *source;
	int currentline, nups, linedefined, lastlinedefined;
	char short_src[60];
	int frame;
};

struct debug_52 { /* and 5.3 */
	int event;
	const char *name, *namewhat, *what, *source;
	int currentline, linedefined, lastlinedefined;
	unsigned char nups, nparams;
	char isvararg, istailcall;
	char short_src[60];
	void *frame;
};

struct debug_54 {
	int event;
	const char *name, *namewhat, *what, *source;
	size_t srclen;
	int currentline, linedefined, lastlinedefined;
	unsigned char nups, nparams;
	char isvararg, istailcall;
	unsigned short ftransfer, ntransfer;
	char short_src[60];
	void *frame;
};

union debug {
	struct debug_51 v51;
	struct debug_52 v52;
	struct debug_54 v54;
	char room[256];
};

typedef void hook_function(struct state *, union debug *);

/* One Lua of the process. A record never leaves its place. */
struct liblua {
	enum version version;
	unsigned int number; /* in luas[] */
	struct state *(*newstate)(void *allocate, void *data);
	int (*sethook)(struct state *, hook_function *, int mask, int count);
	hook_function *(*gethook)(struct state *);
	int (*gethookmask)(struct state *);
	int (*getstack)(struct state *, int level, union debug *);
	int (*getinfo)(struct state *, const char *what, union debug *);
	int (*status)(struct state *);
	void (*close)(struct state *);
	int (*setmode)(struct state *, int index, int mode); /* LuaJIT alone */
};

/* A field of struct lua_Debug, in the layout of the Lua that has filled it. */
#define DEBUG_FIELD(lua, ar, field)                                                                \
	((lua)->version == LUA_54                                ? (ar)->v54.field                 \
	 : (lua)->version == LUA_51 || (lua)->version == LUA_JIT ? (ar)->v51.field                 \
								 : (ar)->v52.field)

#endif
