#!/bin/sh
# SPDX-License-Identifier: MIT
# lua-commands.sh - Debian's commands lua5.1 to lua5.4 and luajit, which have Lua inside of their own files: they run as without zprof, and
# the calls of Lua functions are those that a counter in Lua counts. Programs whose Lua cannot be recorded, with the sentence that says so.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/lua.sh"
programs=$(cd "${0%/*}" && pwd)/lua

cat >hooks.lua <<'END'
local function f() end
local function many(n) for i = 1, n do f() end end
print(debug.gethook())
many(30)
local seen = 0
debug.sethook(function() seen = seen + 1 end, "c")
many(5)
print(select(2, debug.gethook()))
debug.sethook()
print(seen > 5, debug.gethook())
many(7)
END
cat >forever.lua <<'END'
local function forever() while true do end end
io.open("ready", "w"):close()
print(pcall(forever))
END
cat >inner.lua <<'END'
local function g() end
for i = 1, 9 do g() end
END
cat >outer.lua <<'END'
local function f() end
local inner = package.loadlib("./inner.so", "run_inner")
f()
inner()
inner()
f()
END
cat >children.lua <<'END'
local function f() end
f()
os.execute(arg[-1] .. " inner.lua")
f()
END
gcc -g -O1 -pthread -shared -fPIC -Dmain=run_host "$programs/host.c" -o inner.so

for command in lua5.1 lua5.2 lua5.3 lua5.4 luajit; do
	if ! command -v $command >/dev/null; then
		skip "programs of the command $command" "it is not there"
		continue
	fi
	ALL=$programs/all.lua $command "$programs/count.lua" | tr '\t' ' ' | sed 's/^0 /1 /' | sort -n >plain
	record_with $command "$programs/all.lua"
	counted >recorded
	same "$command: the calls of each function are those counted in Lua" plain recorded
	is "$command: there are many" 18 "$(wc -l <plain)"
	is "$command: nothing is missing" "" "$(losses)"
	is "$command: zprof says where the profile is, and no more" "zprof: the profile is in 'p.out'" "$(cat messages)"
	ALL=$programs/all.lua $command "$programs/arcs.lua" | tr '\t' ' ' | sort -n >plain
	who_calls_whom >arcs
	same "$command: functions stand below those that Lua's stack has below them" plain arcs
	$command "$programs/errors.lua" | sort >plain
	record_with $command "$programs/errors.lua"
	sort said >recorded
	same "$command: a program that raises errors prints the same" plain recorded
	$command hooks.lua >plain
	record_with $command hooks.lua
	if [ $command = luajit ]; then
		# Its compiler has put lua_sethook() and lua_gethook() into debug.sethook() and debug.gethook().
		sed '1s/^external hook.cr/nil\t/' said | diff plain - >difference
		tap $? "$command: a program with a hook of its own prints the same, but for what debug.gethook() tells of zprof's" || sed 's/^/# /' difference
		is "$command: its calls are recorded until it has a hook" 30 "$(calls hooks.f)"
		is "$command: the report counts that" 1 "$("$zprof" report p.out | grep -c '^ *1  times that the program used a profiler of its own')"
	else
		same "$command: a program with a hook of its own prints the same" plain said
		is "$command: its calls are recorded all the time" 42 "$(calls hooks.f)"
		is "$command: nothing of it is missing" "" "$(losses)"
	fi
	INNER=inner.lua record_with $command outer.lua
	is "$command: a module in C makes states of the program's Lua, which are recorded" "2 18" "$(calls outer.f) $(calls inner.g)"
	record_with $command children.lua
	is "$command: a child that runs the command is recorded" "2 9" "$(calls children.f) $(calls inner.g)"
	{
		echo "#!$(command -v $command)"
		echo 'local function f() print(1) end f() f()'
	} >script && chmod +x script
	record_with ./script
	is "$command: a script that names the command is recorded" "1 1 2" "$(xargs <said) $(calls 'script.f')"
	rm -f ready p.out*
	"$zprof" record -o p.out $command forever.lua >said 2>messages &
	recorder=$!
	until [ -e ready ]; do sleep 0.05; done
	kill -INT "$(tr -d " " <"/proc/$recorder/task/$recorder/children")"
	wait $recorder
	is "$command: SIGINT ends a function, by a hook" "false interrupted! 1" "$(tr '\t' ' ' <said | sed 's/ forever\.lua:1://') $(calls 'forever.<function:1>')"
	rm -f p.out*
	"$zprof" record --start=off -o p.out $command "$programs/all.lua" >said 2>messages
	is "$command: a program that begins paused runs, and nothing is recorded" "" "$(cat said)$(calls all.fib)"
	record_with --any $command -e 'local function f() end f() print(1)'
	is "$command: with --any the interpreter's own functions are recorded" "1 yes " "$(cat said) $([ "$(functions | wc -l)" -gt 50 ] && echo yes) $(functions | grep '"group":"lua"')"
	is "$command: and zprof says how Lua functions are recorded" 1 "$(grep -c "the Lua functions that '.*/$command' runs are recorded without --any" messages)"
	for name in lua5.3 lua5.4; do
		library=$(ls /usr/lib/*/lib$name.so.? 2>/dev/null | head -1)
		[ -n "$library" ] && [ $command != $name ] && [ $command != luajit ] || continue
		mv inner.so kept.so
		gcc -g -O1 -pthread -shared -fPIC -Dmain=run_host "$programs/host.c" -o inner.so "$library"
		INNER=inner.lua record_with $command outer.lua
		is "$command: a module in C that brings $name in" "2 18 " "$(calls outer.f) $(calls inner.g) $(losses)"
		mv kept.so inner.so
	done
done

if command -v luajit >/dev/null; then
	cat >compiled.lua <<'END'
jit.on()
local function f(n) return n end
local function g(n) return f(n) end
for i = 1, 20000 do f(i) g(i) end
END
	record_with luajit compiled.lua
	is "luajit: loops that would be compiled" "40000 20000 " "$(calls compiled.f) $(calls compiled.g) $(losses)"
fi

# ---- Lua that cannot be recorded: two programs with functions of these names, and no more
cat >inside.c <<'END'
#define F(name) void *name(void); __attribute__((noipa)) void *name(void) { static int n; return ++n > 3 ? &n : 0; }
F(lua_newstate) F(lua_sethook) F(lua_gethook)
#ifdef LOOPS
F(lua_close)
__asm__(".globl lua_gethookmask\n.type lua_gethookmask, @function\n.p2align 4\nlua_gethookmask:\n.cfi_startproc\n"
	"1: inc %eax\n test %eax, %eax\n js 1b\n ret\n.cfi_endproc\n.size lua_gethookmask, . - lua_gethookmask\n");
#else
F(lua_gethookmask)
#endif
int main(void) { return lua_newstate() || lua_sethook() || lua_gethook(); }
END
gcc -O1 -DLOOPS inside.c -Wl,-E -o inside
record_with ./inside
is "a Lua whose functions cannot be displaced is left as it is: status 0, and zprof says" \
	"0 zprof: the Lua functions that './inside' runs are not recorded: no jump can be placed safely at the beginning of lua_gethookmask" \
	"$? $(head -1 messages)"
gcc -O1 inside.c -Wl,-E -o inside
record_with ./inside
is "a Lua that is not whole is left as it is, too" \
	"0 zprof: the Lua functions that './inside' runs are not recorded: the file does not export lua_close" "$? $(head -1 messages)"
cat >early.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void *wait_for_end(void *x) { for (;;) pause(); return x; }
__attribute__((constructor)) static void begin(void) { pthread_t t; pthread_create(&t, 0, wait_for_end, 0); }
END
gcc -O1 -shared -fPIC early.c -o early.so -pthread
if command -v lua5.4 >/dev/null; then
	LD_PRELOAD=$PWD/early.so record_with lua5.4 -e 'print(1)'
	is "a process that has threads before it begins runs, and zprof says" \
		"1 zprof: the interpreter's functions are not recorded, as no entry could be displaced; a thread began before that, in the constructor of a library" \
		"$(cat said) $(head -1 messages)"
fi
gcc -O1 inside.c -o inside
record_with ./inside
is "a Lua that the program does not export: status 0, and zprof says" "0 1" "$? $(grep -c "it has Lua inside of its own file, and does not tell where: .* linked with -Wl,-E" messages)"
finish
