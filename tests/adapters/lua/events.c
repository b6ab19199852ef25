/* SPDX-License-Identifier: MIT */
/*
 * events.c - host.c, with a function in C for events.lua that sets a hook in C: hook_in_c(COROUTINE or
 * nil, MASK, COUNT, YIELDS). The hook prints each event, and yields at each line and count if YIELDS is true. The
 * function returns what lua_gethook() and its like tell then. many_hooks_in_c() sets twenty functions,
 * one after the other, and leaves the last one set.
 */
#define luaL_openlibs open_libraries
#include "host.c"
#undef luaL_openlibs

union lua_Debug {
	int event;
	char room[256];
};

void luaL_openlibs(struct lua_State *);
struct lua_State *lua_tothread(struct lua_State *, int index);
int lua_toboolean(struct lua_State *, int index);
void lua_pushcclosure(struct lua_State *, int (*)(struct lua_State *), int);
void lua_setfield(struct lua_State *, int index, const char *);
int lua_sethook(struct lua_State *, void (*)(struct lua_State *, union lua_Debug *), int, int);
void (*lua_gethook(struct lua_State *))(struct lua_State *, union lua_Debug *);
int lua_gethookmask(struct lua_State *);
int lua_gethookcount(struct lua_State *);
int lua_getinfo(struct lua_State *, const char *, union lua_Debug *);
void lua_pushnumber(struct lua_State *, double);
double luaL_optnumber(struct lua_State *, int index, double otherwise);
__attribute__((weak)) void lua_setglobal(struct lua_State *, const char *);
__attribute__((weak)) int lua_yield(struct lua_State *, int);
__attribute__((weak)) int lua_yieldk(struct lua_State *, int, long, void *);
__attribute__((weak)) void lua_toclose(struct lua_State *, int); /* 5.4 */

static int yields;

static void print(struct lua_State *l, union lua_Debug *ar)
{
	int event = ar->event, line = *(int *)(ar->room + (lua_toclose ? 48 : 40));

	lua_getinfo(l, "l", ar);
	printf("C %d %d %d\n", event, line, *(int *)(ar->room + (lua_toclose ? 48 : 40)));
	if (!yields || (event != 2 && event != 3)) /* neither a line nor a count */
		return;
	if (lua_yieldk)
		lua_yieldk(l, 0, 0, NULL);
	else
		lua_yield(l, 0);
}

static int hook_in_c(struct lua_State *l)
{
	struct lua_State *of = lua_tothread(l, 1) ? lua_tothread(l, 1) : l;

	yields = lua_toboolean(l, 4);
	lua_sethook(of, print, (int)luaL_optnumber(l, 2, 0), (int)luaL_optnumber(l, 3, 0));
	lua_pushnumber(l, lua_gethook(of) == print ? 1 : lua_gethook(of) ? 2 : 0);
	lua_pushnumber(l, lua_gethookmask(of));
	lua_pushnumber(l, lua_gethookcount(of));
	return 3;
}

#define TEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define HOOK(n)                                                                                    \
	static void hook_##n(struct lua_State *l, union lua_Debug *ar)                             \
	{                                                                                          \
		(void)l;                                                                           \
		printf("hook %d of event %d\n", n, ar->event);                                     \
	}                                                                                          \
	static void other_##n(struct lua_State *l, union lua_Debug *ar)                            \
	{                                                                                          \
		(void)l;                                                                           \
		printf("other %d of event %d\n", n, ar->event);                                    \
	}
#define SET(n)                                                                                     \
	lua_sethook(l, hook_##n, 4, 0);                                                            \
	printf("%d\n", lua_gethook(l) == hook_##n);                                                \
	lua_sethook(l, other_##n, 1, 0);                                                           \
	printf("%d\n", lua_gethook(l) == other_##n);
TEN(HOOK)

static int many_hooks_in_c(struct lua_State *l)
{
	TEN(SET)
	return 0;
}

static void set_global(struct lua_State *l, const char *name, int (*function)(struct lua_State *))
{
	lua_pushcclosure(l, function, 0);
	if (lua_setglobal)
		lua_setglobal(l, name);
	else
		lua_setfield(l, -10002, name); /* LUA_GLOBALSINDEX of 5.1 */
}

void open_libraries(struct lua_State *l)
{
	luaL_openlibs(l);
	set_global(l, "hook_in_c", hook_in_c);
	set_global(l, "many_hooks_in_c", many_hooks_in_c);
}
