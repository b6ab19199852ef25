-- SPDX-License-Identifier: MIT
-- events.lua - a program with hooks of its own, in Lua and in C: prints each event that they see, and what they see of the program
-- then. Needs events.c. With HOOKS=calls no hook raises an error or runs a coroutine, so that the
-- calls are those without hooks. With HOOKS=none they are called without any.
local hooked = os.getenv("HOOKS") ~= "none"
local all = not os.getenv("HOOKS")
local pack = table.pack or function(...) return {n = select("#", ...), ...} end

-- ---- what runs

local function leaf(n) return n + 1 end
local function tail(n)
	if n > 1 then return tail(n - 1) end
	return leaf(n)
end
local function various(...)
	local first = ...
	return first, select("#", ...)
end
local function loop(n)
	local sum = 0
	for i = 1, n do
		sum = sum + leaf(i)
	end
	return sum
end
local function fails(n)
	if n == 0 then error("it", 0) end
	fails(n - 1)
	return n
end
local function body(n)
	local a = tail(3)
	local b, c = various(a, n)
	local d = loop(n) local e = leaf(d)
	pcall(fails, 2)
	local t = {3, 1, 2}
	table.sort(t, function(x, y) return x < y end)
	for word in string.gmatch("a b", "%a") do
		c = c + #word
	end
	return a + b + c + d + e
end
local function yields(n)
	for i = 1, n do
		leaf(i)
		coroutine.yield(i)
	end
	return tail(2)
end
local function in_coroutine()
	local c = coroutine.create(yields)
	while coroutine.resume(c, 2) and coroutine.status(c) ~= "dead" do end
end

-- ---- hooks

local seen = {}
local function note(event, line)
	local f = debug.getinfo(3, "nSl")
	if f then
		seen[#seen + 1] = event .. " " .. tostring(line) .. " " .. f.what .. " " .. tostring(f.name) .. " " .. f.linedefined .. " " .. f.currentline
	else
		seen[#seen + 1] = event .. " " .. tostring(line)
	end
end
local function hook(event, line) note(event, line) end
local function second(event, line) note("second " .. event, line) end
local function settings(...) -- of a coroutine, or here
	local f, mask, count = debug.gethook(...)
	return (f == hook and "hook" or f == second and "second" or tostring(f)) .. " " .. tostring(mask) .. " " .. tostring(count)
end
local function set(...)
	if hooked then debug.sethook(...) end
end
local function set_in_c(...)
	if hooked then print(hook_in_c(...)) end
end
local function try(name, f, ...)
	local got = pack(pcall(f, ...))
	set()
	print("==== " .. name)
	for _, event in ipairs(seen) do print(event) end
	for i = 1, got.n do print(tostring(got[i])) end
	print(settings())
	seen = {}
end

for _, mask in ipairs({"c", "r", "l", "cr", "crl", ""}) do
	for _, count in ipairs({0, 1, 7, 100}) do
		try("mask '" .. mask .. "', count " .. count, function()
			set(hook, mask, count)
			print(settings())
			body(3)
			in_coroutine()
		end)
	end
end
try("a coroutine's own hook, set while it waits", function()
	local c = coroutine.create(yields)
	coroutine.resume(c, 4)
	set(c, hook, "crl", 5)
	print(settings(c), settings())
	coroutine.resume(c)
	coroutine.resume(c)
	set(c)
	print(settings(c))
	coroutine.resume(c)
end)
try("a coroutine keeps its creator's hook, which sets another", function()
	set(hook, "cr")
	local c = coroutine.create(yields)
	set(second, "l", 3)
	print(settings(c), settings())
	coroutine.resume(c, 2)
	body(1)
	set()
	print(settings(c), settings())
	coroutine.resume(c)
end)
try("a hook that sets others, and none", function()
	local n = 0
	set(function(event, line)
		n = n + 1
		note(event, line)
		if n == 5 then debug.sethook(second, "r", 4) end
	end, "crl", 1)
	body(1)
	set(function(event, line)
		note(event, line)
		if event == "line" and line then debug.sethook() end
	end, "crl", 2)
	body(1)
	set(function(event, line)
		note(event, line)
		if event == "return" then debug.sethook(nil, "", 9) end
	end, "r")
	tail(3)
	body(1)
end)
try("a hook that runs a coroutine", function()
	local inside = false
	set(function(event, line)
		note(event, line)
		if all and not inside then
			inside = true
			local c = coroutine.create(function() note("in the hook's coroutine") end)
			coroutine.resume(c)
			inside = false
		end
	end, "c")
	loop(2)
end)
for _, mask in ipairs({"c", "r", "l", "crl"}) do
	for at = 1, all and 23 or 0, 2 do
		try("an error from the hook at event " .. at .. " of '" .. mask .. "'", function()
			local n = 0
			set(function(event, line)
				n = n + 1
				note(event, line)
				if n == at then error("from the hook", 0) end
			end, mask)
			print(pcall(body, 2))
			print(pcall(in_coroutine))
			loop(2)
		end)
	end
end

-- ---- hooks in C, whose masks are 1 (calls), 2 (returns), 4 (lines), 8 (counts)

for _, mask in ipairs({1, 2, 3, 4, 8, 12, 15, 16, 19, 0}) do
	for _, count in ipairs({0, 1, 7}) do
		try("in C: mask " .. mask .. ", count " .. count, function()
			set_in_c(nil, mask, count)
			print(settings())
			body(2)
			in_coroutine()
			set_in_c(nil, 0, count)
			body(1)
		end)
	end
end
local function plain_body(n) -- with no function in C that Lua 5.2 and 5.3 cannot yield across
	local a = leaf(3)
	local b, c = various(a, n)
	local d = loop(n)
	return a + b + c + leaf(d)
end
for _, mask in ipairs(_VERSION ~= "Lua 5.1" and {4, 8, 12, 15} or {}) do
	for _, count in ipairs({2, 5}) do
		try("in C: a hook that yields, and calls, mask " .. mask .. ", count " .. count, function()
			local c = coroutine.create(plain_body)
			set_in_c(c, mask, count, true)
			for i = 1, 300 do
				if coroutine.status(c) ~= "dead" then print(coroutine.resume(c, 3)) end
			end
		end)
	end
end
for _, mask in ipairs(all and {4, 8, 12} or {}) do
	try("in C: a hook that yields, mask " .. mask, function()
		local c = coroutine.create(function() return body(2), loop(2) end)
		set_in_c(c, mask, 9, true)
		for i = 1, 1000 do
			local good, value = coroutine.resume(c)
			if coroutine.status(c) == "dead" then
				print(i, good, value)
				break
			end
		end
	end)
end
