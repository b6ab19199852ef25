-- SPDX-License-Identifier: MIT
-- program.lua - what the Lua interpreter is made to do in tests/real/lua.sh: a bit of everything, the same each time.
--
-- Nothing may depend on an address or the clock: no table is keyed by a table or function, nothing prints one.

local size = tonumber(arg[1]) or 1

-- Recursion, arithmetic, tables: how many ways to place n queens.
local function queens(n)
  local columns, rising, falling, found = {}, {}, {}, 0
  local function place(row)
    if row > n then found = found + 1 return end
    for c = 1, n do
      if not (columns[c] or rising[row + c] or falling[row - c + n]) then
        columns[c], rising[row + c], falling[row - c + n] = true, true, true
        place(row + 1)
        columns[c], rising[row + c], falling[row - c + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end

local seed = 1
local function random(n)
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed // 65536 % n
end

-- Strings, patterns, callbacks from C into Lua.
local function words(count)
  local list = {}
  for i = 1, count do
    local w = {}
    for j = 1, 3 + random(8) do w[j] = string.char(97 + random(26)) end
    list[i] = table.concat(w)
  end
  return list
end

local function sorted(list)
  table.sort(list, function(a, b) return a < b end)
  local text = table.concat(list, " ")
  local vowels = 0
  text:gsub("[aeiou]", function() vowels = vowels + 1 end)
  return string.format("%d words, %d vowels, %q", #list, vowels, text:sub(1, 20):upper())
end

-- Errors: each leaves a few C and Lua frames by a jump.
local function fails(depth)
  if depth == 0 then error({ code = 7 }) end
  return fails(depth - 1) + 1
end

local function caught(count)
  local sum = 0
  for i = 1, count do
    local ok, problem = pcall(fails, i % 40)
    sum = sum + (ok and 1 or problem.code)
    ok, problem = pcall(string.rep)
    if not ok and problem:find("bad argument") then sum = sum + 1 end
  end
  return sum
end

-- Coroutines: a yield is a jump too, also across pcall and sort's comparison cannot be crossed.
local function producer(n)
  return coroutine.wrap(function()
    for i = 1, n do
      pcall(function() coroutine.yield(i) end)
    end
  end)
end

local function consumed(count)
  local sum = 0
  for i = 1, count do
    for value in producer(10) do sum = sum + value end
  end
  local ok = pcall(table.sort, { 3, 2, 1 }, function() coroutine.yield() end)
  return sum + (ok and 1 or 0)
end

-- Objects with metamethods, weak tables and finalizers: work for the collector.
local finalized = 0
local point = {}
point.__index = point
point.__add = function(a, b) return setmetatable({ x = a.x + b.x }, point) end
point.__gc = function() finalized = finalized + 1 end
point.__tostring = function(p) return "point " .. p.x end

local function objects(count)
  local sum = setmetatable({ x = 0 }, point)
  local weak = setmetatable({}, { __mode = "v" })
  for i = 1, count do
    weak[i % 100] = setmetatable({ x = i }, point)
    sum = sum + weak[i % 100]
  end
  collectgarbage()
  return tostring(sum) .. ", " .. finalized .. " finalized"
end

-- The compiler.
local function compiled(count)
  local sum = 0
  for i = 1, count do
    local chunk = load("local a, b = ... ; for i = 1, " .. i % 7 .. " do a = a + b * i end return a", "chunk")
    sum = sum + chunk(i, 2)
  end
  return sum
end

print(queens(6 + size))
print(sorted(words(1500 * size)))
print(caught(400 * size))
print(consumed(60 * size))
print(objects(4000 * size))
print(compiled(300 * size))
