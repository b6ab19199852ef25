-- SPDX-License-Identifier: MIT
-- all.lua - calls of every kind that Lua has.
local function fib(n)
	if n < 2 then return n end
	local a = fib(n - 1)
	return a + fib(n - 2)
end
local function loop(n)
	if n == 0 then return 0 end
	return loop(n - 1)
end
local function even(n, odd)
	if n == 0 then return true end
	return odd(n - 1, even)
end
local function odd(n, other)
	if n == 0 then return false end
	return other(n - 1, odd)
end
local function fails(n)
	if n == 0 then error("it") end
	fails(n - 1)
	return n
end
local function various(...)
	local n = select("#", ...)
	fib(2)
	return n
end
local function numbers(n)
	for i = 1, n do
		fib(2)
		coroutine.yield(i)
	end
end
local function dies()
	coroutine.yield(1)
	error("dead")
end
local class = {}
class.__index = function(t, k) return fib(k) end
class.__add = function(a, b) return fib(3) end
class.__call = function(self, n) return fib(n) end
local function after(n) return fib(n) end
local function work()
	local object = setmetatable({}, class)
	fib(12)
	loop(1000)
	even(21, odd)
	for i = 1, 5 do
		pcall(fails, i)
		after(3)
		local a, b, c, d = 1, 2, 3, 4
		pcall(fails, 2)
		after(a + b)
		various(1, 2, 3)
		xpcall(fails, function(m) return fib(2) end, 3)
	end
	for i = 1, 5 do
		local c = coroutine.wrap(numbers)
		local other = coroutine.create(numbers)
		for j = 1, i do
			c(5)
			coroutine.resume(other, 9)
		end
		local d = coroutine.create(dies)
		coroutine.resume(d)
		coroutine.resume(d)
	end
	local inner = coroutine.wrap(function()
		local c = coroutine.wrap(numbers)
		for i = 1, 3 do coroutine.yield(c(3)) end
	end)
	for i = 1, 3 do inner() end
	local t = {5, 3, 1, 4, 2}
	table.sort(t, function(a, b) return a < b end)
	string.gsub("abc", ".", function(s) return fib(1) and s end)
	object(4)
	local x = object + object + #t + object[5]
end
work()
