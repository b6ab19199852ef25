-- SPDX-License-Identifier: MIT
-- lua.lua - what tests/bench/lua.sh times: the program that WHAT names, alone or under the peer that PEER names. Prints seconds of
-- processor time.
local programs = {}

function programs.calls()
	local function fib(n)
		if n < 2 then return n end
		local a = fib(n - 1)
		return a + fib(n - 2)
	end
	fib(27)
end

function programs.coroutines()
	local function numbers(n)
		for i = 1, n do coroutine.yield(i) end
	end
	local function add(a, b) return a + b end
	for _ = 1, 300 do
		local sum = 0
		for i in coroutine.wrap(function() numbers(1000) end) do sum = add(sum, i) end
	end
end

function programs.objects()
	local point = {}
	point.__index = point
	point.__add = function(a, b) return setmetatable({x = a.x + b.x}, point) end
	function point:length() return self.x end
	local sum = setmetatable({x = 0}, point)
	for i = 1, 200000 do
		sum = sum + setmetatable({x = i}, point)
		sum:length()
	end
end

function programs.strings()
	local words = {}
	for i = 1, 3000 do words[i] = string.format("%x", i * 7919 % 65536) end
	for _ = 1, 10 do
		table.sort(words, function(a, b) return a > b end)
		local text = table.concat(words, " ")
		text:gsub("%x+", function(w) return #w end)
	end
end

local peers = {}
function peers.hook() -- a counter as one writes it in Lua: calls by function
	local calls = {}
	local function count()
		local f = debug.getinfo(2, "f").func
		calls[f] = (calls[f] or 0) + 1
	end
	if rawget(_G, "jit") then
		jit.off()
	else
		local create = coroutine.create
		coroutine.create = function(f)
			local c = create(f)
			debug.sethook(c, count, "c")
			return c
		end
		coroutine.wrap = function(f)
			local c = coroutine.create(f)
			return function(...) return select(2, coroutine.resume(c, ...)) end
		end
	end
	debug.sethook(count, "c")
end
function peers.interpreter() jit.off() end
function peers.profiler()
	jit.off()
	require("jit.p").start("f", "/dev/null")
end

local peer = os.getenv("PEER")
if peer and peer ~= "" then peers[peer]() end
local begun = os.clock()
programs[os.getenv("WHAT")]()
print(os.clock() - begun)
