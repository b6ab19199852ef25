/* SPDX-License-Identifier: MIT */
/* library.c - see library.h. */
#define _GNU_SOURCE /* dladdr */
#include "preload/adapters/lua/library.h"

#include <dlfcn.h>
#include <string.h>

struct liblua luas[LUAS] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};

static enum version version_of(void *handle)
{
	double (*number)(struct state *);

	if (dlsym(handle, "luaJIT_setmode"))
		return LUA_JIT;
	if (dlsym(handle, "lua_toclose")) {
		*(void **)&number = dlsym(handle, "lua_version");
		return number && number(NULL) == 504 ? LUA_54 : LUA_UNKNOWN;
	}
	if (dlsym(handle, "lua_rotate"))
		return LUA_53;
	return dlsym(handle, "lua_callk") ? LUA_52 : LUA_51;
}

bool library_find(const char *path, struct liblua *lua)
{
	const struct {
		const char *name;
		void *function;
	} wanted[] = {
	    {"lua_newstate", &lua->newstate}, {"lua_sethook", &lua->sethook},
	    {"lua_gethook", &lua->gethook},   {"lua_gethookmask", &lua->gethookmask},
	    {"lua_getstack", &lua->getstack}, {"lua_getinfo", &lua->getinfo},
	    {"lua_status", &lua->status},     {"lua_close", &lua->close},
	};
	void *handle = dlopen(path, RTLD_NOLOAD | RTLD_LAZY), *file = NULL;
	Dl_info info;
	size_t i;

	if (!handle)
		return false;
	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		void *address = dlsym(handle, wanted[i].name);

		if (!address || !dladdr(address, &info))
			return false;
		/* A file that has not all of them may find the others in another Lua. */
		if (!file)
			file = info.dli_fbase;
		if (info.dli_fbase != file)
			return false;
		memcpy(wanted[i].function, &address, sizeof(address));
	}
	*(void **)&lua->setmode = dlsym(handle, "luaJIT_setmode");
	lua->version = version_of(handle);
	return lua->version != LUA_UNKNOWN;
}
