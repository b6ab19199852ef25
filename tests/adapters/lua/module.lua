-- SPDX-License-Identifier: MIT
-- module.lua - a Lua program that loads module.c, and has functions above and below those in C.
package.cpath = "./?.so"
local module = require "module"
local function leaf() end
local function inner() leaf() module.plain() leaf() end
local function outer() module.each(inner) leaf() end
for i = 1, 10 do outer() end
