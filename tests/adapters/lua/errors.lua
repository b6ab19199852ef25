-- SPDX-License-Identifier: MIT
-- errors.lua - functions that return, or are ended by errors, each of which counts so itself. Prints line, calls and returns of each.
local begun, ended = {}, {}
local function add(to)
	local line = debug.getinfo(3, "S").linedefined
	to[line] = (to[line] or 0) + 1
end
local function begins() add(begun) return nil end
local function ends() add(ended) return nil end
local function leaf(n)
	begins()
	if n % 3 == 0 then error("third") end
	if n % 3 == 1 then local t = nil + n end
	ends()
end
local function middle(n)
	begins()
	local a, b, c = n, n, n
	leaf(n)
	ends()
end
local function guarded(n)
	begins()
	pcall(middle, n)
	local good = pcall(pcall, error)
	pcall(function()
		begins()
		pcall(leaf, 3)
		middle(n)
		ends()
	end)
	ends()
end
local function yields(n)
	begins()
	coroutine.yield(n)
	middle(n)
	coroutine.yield(n)
	ends()
end
for i = 1, 20 do
	guarded(i)
	local c = coroutine.create(yields)
	for j = 1, 4 do coroutine.resume(c, i) end
	xpcall(function()
		begins()
		yields = yields
		middle(i)
		ends()
	end, function(m) begins() ends() return m end)
end
for line, n in pairs(begun) do print(line, n, ended[line] or 0) end
