/* SPDX-License-Identifier: MIT */
/* lua.c - runs the benchmark's Lua workload for a number of calls, or a file of Lua with arguments. */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "tests/bench/work.h"

UNSEEN static int run_file(char **argv)
{
	lua_State *lua = luaL_newstate();

	luaL_openlibs(lua);
	lua_newtable(lua);
	for (int i = 1; argv[i]; i++) {
		lua_pushstring(lua, argv[i]);
		lua_rawseti(lua, -2, i - 1);
	}
	lua_setglobal(lua, "arg");
	if (luaL_loadfile(lua, argv[1]))
		return 1;
	lua_pushstring(lua, argv[2]);
	if (lua_pcall(lua, 1, 0, 0)) {
		fprintf(stderr, "lua: %s\n", lua_tostring(lua, -1));
		return 1;
	}
	lua_close(lua);
	return 0;
}

UNSEEN int main(int argc, char **argv)
{
	if (argc == 3)
		return run_file(argv);
	work(strtoul(argv[1], NULL, 10));
	return 0;
}
