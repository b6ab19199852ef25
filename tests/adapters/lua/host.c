/* SPDX-License-Identifier: MIT */
/*
 * host.c - a program with a shared Lua of any version inside: runs the script that is its first
 * argument, in as many threads as the second says, each with a state of its own. After a minus sign,
 * one thread after the other, so that each has the stack, and its state the memory, of the one before.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct lua_State;

int run_inner(struct lua_State *);

struct lua_State *luaL_newstate(void);
void luaL_openlibs(struct lua_State *);
void lua_close(struct lua_State *);
const char *lua_tolstring(struct lua_State *, int index, size_t *length);
__attribute__((weak)) int luaL_loadfile(struct lua_State *, const char *file);
__attribute__((weak)) int luaL_loadfilex(struct lua_State *, const char *file, const char *mode);
__attribute__((weak)) int lua_pcall(struct lua_State *, int arguments, int results, int handler);
__attribute__((weak)) int lua_pcallk(struct lua_State *, int arguments, int results, int handler,
				     long context, void *continuation);

static void *run(void *script)
{
	struct lua_State *l = luaL_newstate();
	int failed;

	luaL_openlibs(l);
	failed = luaL_loadfilex ? luaL_loadfilex(l, script, NULL) : luaL_loadfile(l, script);
	if (!failed)
		failed = lua_pcallk ? lua_pcallk(l, 0, 0, 0, 0, NULL) : lua_pcall(l, 0, 0, 0);
	if (failed)
		fprintf(stderr, "%s\n", lua_tolstring(l, -1, NULL));
	lua_close(l);
	return NULL;
}

/* A function in C for a program of another Lua, whose state it does not use. */
int run_inner(__attribute__((unused)) struct lua_State *outer)
{
	run(getenv("INNER"));
	return 0;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 0, i;
	pthread_t all[16];

	if (!threads)
		run(argv[1]);
	for (i = 0; i > threads; i--) {
		pthread_create(&all[0], NULL, run, argv[1]);
		pthread_join(all[0], NULL);
	}
	for (i = 0; i < threads && i < 16; i++)
		pthread_create(&all[i], NULL, run, argv[1]);
	for (i = 0; i < threads && i < 16; i++)
		pthread_join(all[i], NULL);
	return 0;
}
