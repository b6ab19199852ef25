-- SPDX-License-Identifier: MIT
-- arcs.lua - counts who calls whom in all.lua: walks Lua's stack at each call. Prints line of the caller, line of the function, and calls.
-- A function that begins a coroutine has no caller.
local arcs = {}
local before_54 = _VERSION ~= "Lua 5.4" and not rawget(_G, "jit")
local function line_of_all(level)
	local f = debug.getinfo(level + 1, "S")
	while f and f.what ~= "Lua" and f.what ~= "main" do
		level = level + 1
		f = debug.getinfo(level + 1, "S")
	end
	if f and f.short_src:find("all.lua", 1, true) then
		return f.linedefined > 0 and f.linedefined or 1
	end
end
local function hook(event)
	if debug.getinfo(2, "S").what == "C" then return end
	local line = line_of_all(2)
	-- Before 5.4 a function that is called by a tail call is above the frame that it takes.
	local caller = line_of_all(event == "tail call" and before_54 and 4 or 3)
	if line and caller then
		local arc = caller .. "\t" .. line
		arcs[arc] = (arcs[arc] or 0) + 1
	end
end
local create = coroutine.create
if rawget(_G, "jit") then
	jit.off()
else
	coroutine.create = function(f)
		local c = create(f)
		debug.sethook(c, hook, "c")
		return c
	end
	coroutine.wrap = function(f)
		local c = coroutine.create(f)
		return function(...) return select(2, coroutine.resume(c, ...)) end
	end
end
local all = loadfile(os.getenv("ALL"))
debug.sethook(hook, "c")
all()
debug.sethook()
for arc, n in pairs(arcs) do print(arc, n) end
