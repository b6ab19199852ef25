/* SPDX-License-Identifier: MIT */
/* module.c - a library that Lua loads while it runs: a function in C that calls its argument three times, and one that calls nothing. */
#include <stddef.h>

#define APART __attribute__((noinline, noclone, used))

struct lua_State;

void lua_createtable(struct lua_State *, int array, int others);
void lua_pushcclosure(struct lua_State *, int (*)(struct lua_State *), int values);
void lua_pushvalue(struct lua_State *, int index);
void lua_setfield(struct lua_State *, int index, const char *name);
__attribute__((weak)) void lua_call(struct lua_State *, int arguments, int results);
__attribute__((weak)) void lua_callk(struct lua_State *, int arguments, int results, long context,
				     void *continuation);
int luaopen_module(struct lua_State *l);

APART int each(struct lua_State *l)
{
	for (int i = 0; i < 3; i++) {
		lua_pushvalue(l, 1);
		if (lua_callk)
			lua_callk(l, 0, 0, 0, NULL);
		else
			lua_call(l, 0, 0);
	}
	return 0;
}

APART int plain(struct lua_State *l)
{
	(void)l;
	return 0;
}

int luaopen_module(struct lua_State *l)
{
	lua_createtable(l, 0, 2);
	lua_pushcclosure(l, each, 0);
	lua_setfield(l, -2, "each");
	lua_pushcclosure(l, plain, 0);
	lua_setfield(l, -2, "plain");
	return 1;
}
