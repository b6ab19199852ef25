-- SPDX-License-Identifier: MIT
-- native.lua - a Lua program that calls a C function with hooks, which calls Lua functions; errors go through it.
local function leaf() end
local function callback() leaf() end
local function bad() leaf() error("x") end
local function all()
	apply(callback)
	for i = 1, 4 do
		pcall(apply, bad)
		leaf()
	end
	local c = coroutine.wrap(function()
		apply(callback)
		coroutine.yield()
		apply(callback)
	end)
	c()
	leaf()
	c()
	leaf()
end
all()
