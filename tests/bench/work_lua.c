/* SPDX-License-Identifier: MIT */
/*
 * work_lua.c - a Lua program, run by Lua's interpreter, which is instrumented: calls, closures,
 * tables, strings, sorting. One thread only.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "tests/bench/work.h"

static const char program[] =
    "local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end\n"
    "local function words(n)\n"
    "  local t = {}\n"
    "  for i = 1, n do t[#t+1] = ('%d:%s'):format(i, string.rep('x', i % 7)) end\n"
    "  table.sort(t, function(a, b) return a > b end)\n"
    "  return #table.concat(t, ',')\n"
    "end\n"
    "local function counter()\n"
    "  local n = 0\n"
    "  return function(by) n = n + by; return n end\n"
    "end\n"
    "return function(rounds)\n"
    "  local sum = 0\n"
    "  for i = 1, rounds do\n"
    "    local up = counter()\n"
    "    for k = 1, 100 do sum = sum + up(k % 3) end\n"
    "    sum = sum + fib(12) + words(40)\n"
    "  end\n"
    "  return sum\n"
    "end\n";

UNSEEN static lua_State *start(void)
{
	lua_State *lua = luaL_newstate();

	if (!lua || (luaL_openlibs(lua), luaL_loadstring(lua, program)) ||
	    lua_pcall(lua, 0, 1, 0)) {
		fprintf(stderr, "cannot start Lua\n");
		exit(1);
	}
	return lua;
}

void work(unsigned long pairs)
{
	enum { CALLS = 8000 }; /* about so many in a round */
	static lua_State *lua;

	if (!lua)
		lua = start();
	lua_pushvalue(lua, -1);
	lua_pushinteger(lua, (lua_Integer)(pairs / CALLS + 1));
	if (lua_pcall(lua, 1, 1, 0)) {
		fprintf(stderr, "Lua: %s\n", lua_tostring(lua, -1));
		exit(1);
	}
	lua_pop(lua, 1);
}
