/* SPDX-License-Identifier: MIT */
/* native.c - a program with hooks and Lua 5.4 inside, whose C function calls a Lua function. */
#include <stddef.h>

struct lua_State;

struct lua_State *luaL_newstate(void);
void luaL_openlibs(struct lua_State *);
int luaL_loadfilex(struct lua_State *, const char *file, const char *mode);
int lua_pcallk(struct lua_State *, int, int, int, long, void *);
void lua_callk(struct lua_State *, int, int, long, void *);
void lua_pushcclosure(struct lua_State *, int (*)(struct lua_State *), int);
void lua_pushvalue(struct lua_State *, int);
void lua_setglobal(struct lua_State *, const char *);
int apply(struct lua_State *l);

int apply(struct lua_State *l)
{
	for (int i = 0; i < 3; i++) {
		lua_pushvalue(l, 1);
		lua_callk(l, 0, 0, 0, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct lua_State *l = luaL_newstate();

	luaL_openlibs(l);
	lua_pushcclosure(l, apply, 0);
	lua_setglobal(l, "apply");
	return argc < 2 || luaL_loadfilex(l, argv[1], NULL) || lua_pcallk(l, 0, 0, 0, 0, NULL);
}
