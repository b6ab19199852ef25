#!/bin/sh
# SPDX-License-Identifier: MIT
# lua.sh - the adapter of Lua: the calls of Lua programs are those that a counter in Lua counts, in each version of Lua.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/lua.sh"
programs=$(cd "${0%/*}" && pwd)/lua
record() { # ARGUMENT...: of the host
	record_with ./host "$@"
}
below() { # FUNCTION -> "CALLS PATH": calls of Lua's functions, and of those of the library, below it
	"$zprof" report --tree --json --all p.out* 2>/dev/null | python3 -c '
import json, sys
contexts = {c["id"]: c for c in json.load(sys.stdin)["contexts"]}
def path(c):
	own = (c["name"] or "").split(".")[-1]
	return own if own == sys.argv[1] or c["parent"] not in contexts else path(contexts[c["parent"]]) + "/" + own
for c in contexts.values():
	if sys.argv[1] in path(c).split("/"):
		print(c["calls"], path(c))' "$1" | LC_ALL=C sort -k2
}
ends() { # -> "LINE CALLS RETURNS OPEN" of each function of errors.lua. What has not returned was abandoned, or is open in a dead coroutine
	functions | sed -nE 's/.*"line":([0-9]+),"group":"lua","calls":([0-9]+).*"returned":([0-9]+),"abandoned":([0-9]+),"open":([0-9]+).*/\1 \2 \3 \4 \5/p' |
		awk '$1 > 9 && $2 == $3 + $4 + $5 { print $1, $2, $3, ($5 > 0 && $1 != 10 && $1 != 16 && $1 != 34 ? "open" : "") }' | sort -n
}

cat >hooks.lua <<'END'
local function f() end
local function many(n) for i = 1, n do f() end end
print(debug.gethook())
many(30)
local seen = 0
debug.sethook(function() seen = seen + 1 end, "c")
many(5)
debug.sethook()
print(seen > 5, debug.gethook())
many(7)
END
cat >many.lua <<'END'
local function f() end
local function many(n) for i = 1, n do f() end end
many(30)
many_hooks_in_c()
many(5)
debug.sethook()
many(7)
END
cat >lines.lua <<'END'
local function leaf(n) return n end
local function mid(n)
	local a = leaf(n)
	for i = 1, 4 do
		a = a + leaf(i)
	end
	return a
end
for i = 1, 10 do
	local a = mid(i)
end
END

gcc -g -O1 -pthread "$programs/loader.c" -o loader
for version in lua5.1 lua5.2 lua5.3 lua5.4 luajit-5.1; do
	library=$(ls /usr/lib/*/lib$version.so.? 2>/dev/null | head -1)
	if [ -z "$library" ]; then
		skip "programs of $version" "lib$version is not there"
		continue
	fi
	gcc -g -O1 -pthread "$programs/host.c" -o host "$library"
	ALL=$programs/all.lua ./host "$programs/count.lua" | tr '\t' ' ' | sed 's/^0 /1 /' | sort -n >plain
	record "$programs/all.lua"
	counted >recorded
	same "$version: the calls of each function are those counted in Lua" plain recorded
	is "$version: there are many" 18 "$(wc -l <plain)"
	is "$version: nothing is missing" "" "$(losses)"
	ALL=$programs/all.lua ./host "$programs/arcs.lua" | tr '\t' ' ' | sort -n >plain.arcs
	who_calls_whom >arcs
	same "$version: functions stand below those that Lua's stack has below them, in coroutines and after tail calls too" plain.arcs arcs
	record_with --any ./host "$programs/all.lua"
	counted >recorded
	same "$version: the calls are the same where the host's functions are displaced" plain recorded
	is "$version: nothing is missing then" "" "$(losses)"
	gcc -O1 -fPIC -shared "$programs/module.c" -o module.so
	record_with --any ./host "$programs/module.lua"
	is "$version: functions of a library that Lua loads stand between those of Lua" "10 outer
10 outer/each
30 outer/each/<function:6>
60 outer/each/<function:6>/leaf
30 outer/each/<function:6>/plain
10 outer/leaf" "$(below outer)"
	record "$programs/errors.lua"
	tr '\t' ' ' <said | sed 's/$/ /' | sort -n >plain.ends
	ends >recorded
	same "$version: calls that errors end are abandoned, and the others return" plain.ends recorded
	record "$programs/all.lua" 4
	awk '{ print $1, 4 * $2 }' plain >four
	counted >recorded
	same "$version: four threads, each with a state, call them four times as often" four recorded
	record "$programs/all.lua" -3
	awk '{ print $1, 3 * $2 }' plain >three
	counted >recorded
	same "$version: three threads, each with the stack and the memory of the one before, call them three times as often" three recorded
	awk '{ print $1, $2, 3 * $3 }' plain.arcs >three
	who_calls_whom >arcs
	same "$version: from the same callers" three arcs
	is "$version: nothing of theirs is missing" "" "$(losses)"
	gcc -g -O1 -pthread "$programs/forks.c" -o forks "$library"
	record_with ./forks
	is "$version: children run Lua that are forked while another thread runs it" 200 "$(cat said)"
	gcc -g -O1 -pthread -shared -fPIC -Dmain=run_host "$programs/host.c" -o plugin.so "$library"
	record_with ./loader ./plugin.so "$programs/all.lua" 2
	awk '{ print $1, 2 * $2 }' plain >two
	counted >recorded
	same "$version: a Lua that a plugin brings in is found" two recorded
	is "$version: nothing of it is missing" "" "$(losses)"
	./host hooks.lua >plain
	record hooks.lua
	same "$version: a program with a hook of its own prints the same as without zprof" plain said
	if [ "$version" = luajit-5.1 ]; then
		is "$version: its calls are recorded while it has no hook" 37 "$(calls hooks.f)"
		"$zprof" report p.out | grep -q '^ *1  times that the program used a profiler of its own'
		tap $? "$version: the time of its hook is counted as missing"
	else
		is "$version: its calls are recorded all the time" 42 "$(calls hooks.f)"
		is "$version: nothing of it is missing" "" "$(losses)"
		gcc -g -O1 -pthread "$programs/events.c" -o events "$library"
		./events "$programs/events.lua" >plain.events
		is "$version: hooks of the program see many events" yes "$([ "$(wc -l <plain.events)" -gt 8000 ] && echo yes)"
		record_with ./events "$programs/events.lua"
		same "$version: they see the events that they see without zprof, in Lua and in C" plain.events said
		HOOKS=none record_with ./events "$programs/events.lua"
		counted >unhooked
		HOOKS=calls record_with ./events "$programs/events.lua"
		counted >recorded
		same "$version: the calls of the program are those of one that sets no hooks" unhooked recorded
		is "$version: nothing is missing while it has hooks" "" "$(losses | grep -v 'without returning')"
		./events many.lua >plain.many
		record_with ./events many.lua
		same "$version: a program with twenty functions as hooks prints the same as without zprof" plain.many said
		is "$version: calls are recorded until there are more than sixteen" 37 "$(calls many.f)"
		"$zprof" report p.out | grep -q '^ *1  times that the program used a profiler of its own'
		tap $? "$version: the time of the seventeenth is counted as missing"
	fi
	rm -f p.out*
	"$zprof" record --start=off -o p.out ./host hooks.lua >said 2>messages
	same "$version: a program with a hook of its own that begins paused prints the same, too" plain said
	rm -f p.out*
	"$zprof" record --callsites -o p.out ./host lines.lua 2>messages
	"$zprof" annotate --func 'lines.*' p.out | sed -n 's/^ *\([0-9][0-9]*\)  *\(x[0-9]*\) .*/\1 \2/p' | tr '\n' ' ' >lines
	grep -q '3 x10 5 x40' lines
	tap $? "$version: calls are on their lines" || sed 's/^/# /' lines
	rm -f p.out*
	"$zprof" record --start=off -o p.out ./host "$programs/all.lua" >said 2>messages
	is "$version: a program that begins paused runs, and nothing is recorded" "" "$(cat said)$(calls all.fib)"
done

if [ "$version" = luajit-5.1 ] && [ -n "$library" ]; then
	cat >compiled.lua <<'END'
jit.on()
local function f(n) return n end
local function g(n) return f(n) end
for i = 1, 20000 do f(i) g(i) end
END
	record compiled.lua
	is "LuaJIT: loops that would be compiled" "40000 20000" "$(calls compiled.f) $(calls compiled.g)"
	is "LuaJIT: nothing is missing" "" "$(losses)"
fi
# ---- recording that begins and ends while Lua functions are open
cat >attached.lua <<'END'
local function exists(name)
	local file = io.open(name)
	if file then file:close() end
	return file
end
local function f() end
local function turn() for i = 1, 10 do f() end end
local function main()
	io.open("ready", "w"):close()
	while not exists("done") do turn() end
	print(debug.gethook())
end
main()
END
for version in lua5.4 luajit-5.1; do
	library=$(find /usr/lib -name "lib$version.so.?" | head -1)
	[ -n "$library" ] || continue
	gcc -g -O1 -pthread "$programs/host.c" -o host "$library"
	rm -f p.out* ready done
	"$zprof" record --start=off -o p.out ./host attached.lua >said 2>messages &
	recorder=$!
	until [ -e ready ]; do sleep 0.05; done
	program=$(tr -d " " <"/proc/$recorder/task/$recorder/children")
	"$zprof" attach "${program:-$recorder}" >attached 2>&1
	tap $? "$version: zprof attach" || sed 's/^/# /' attached
	turns=0
	until [ "${turns:-0}" -ge 3 ]; do
		sleep 0.05
		turns=$(calls attached.turn)
	done
	"$zprof" detach "${program:-$recorder}" >attached 2>&1
	tap $? "$version: zprof detach" || sed 's/^/# /' attached
	: >done
	wait $recorder
	f=$(calls attached.f) turns=$(calls attached.turn)
	# The first turn may have begun before the recording, and the last may end after it.
	[ "${turns:-0}" -ge 3 ] && [ "${f:-0}" -ge $((10 * turns - 10)) ] && [ "${f:-0}" -le $((10 * turns + 10)) ]
	tap $? "$version: has the calls of Lua functions ($f in $turns)"
	"$zprof" report --tree --all p.out | sed -nE 's/.* attached\.(main|turn|f)( .*)*$/\1/p' | tr '\n' ' ' >tree
	grep -q 'main turn f' tree
	tap $? "$version: below the functions that were open" || sed 's/^/# /' tree
	is "$version: nothing is missing of it" "" "$(losses)"
	is "$version: afterwards the program has no hook" "nil" "$(cut -f1 said)"
done

# ---- C functions with hooks between Lua functions, and errors that go through them
library=$(find /usr/lib -name 'liblua5.4.so.?' | head -1)
if [ -n "$library" ]; then
	gcc -g -O1 -finstrument-functions "$programs/native.c" -o native "$library"
	rm -f p.out*
	"$zprof" record -o p.out ./native "$programs/native.lua" 2>messages
	is "C functions below Lua functions, and above" "19 9 4 7" "$(calls native.leaf) $(calls 'native.<function:4>') $(calls 'native.<function:5>') $(calls apply)"
	is "only the calls that errors ended have not returned" "Calls left without returning (exceptions, jumps, ends of threads): 8" "$(losses)"
	"$zprof" report --tree --all p.out | grep -E ' (main|native|apply)' | sed -E 's/.* ([0-9]+) ( *)([^ ]+).*/\2\3 \1/' | sort >tree
	grep -q '^ *native.leaf 6$' tree && ! grep -q '^ \{0,3\}native.leaf' tree
	tap $? "after an error Lua functions are below the functions that call them" || sed 's/^/# /' tree
else
	skip "C functions between Lua functions" "there is no liblua5.4"
fi

# ---- plugins that only the program's own search path leads to, and none at all
if [ -n "$library" ]; then
	mkdir -p plugins && mv plugin.so plugins/searched.so
	gcc -g -O1 -pthread "$programs/loader.c" -Wl,-rpath,"$PWD/plugins" -o searching
	echo 'print("found")' >found.lua
	record_with ./searching searched.so found.lua
	is "a plugin is found by the RUNPATH of the program that loads it" "found" "$(cat said)"
	./loader ./none.so >plain
	record_with ./loader ./none.so
	same "a plugin that is not there gives the same error as without zprof" plain said
fi

# ---- Lua inside of the program's own file, whose symbols are exported: no trace of the adapter
cat >inside.c <<'END'
#include <stdio.h>
#include <string.h>
void *lua_newstate(void *, void *);
void *lua_newstate(void *allocate, void *data) { return data ? data : allocate; }
int main(void)
{
	char line[4096];
	FILE *maps = fopen("/proc/self/maps", "r");
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "libzprof-lua"))
			return 1;
	return !lua_newstate(line, 0);
}
END
for library in "" "$library"; do
	gcc -g -O1 -finstrument-functions inside.c -Wl,-E -Wl,--no-as-needed $library -o inside
	rm -f p.out*
	"$zprof" record -o p.out ./inside 2>messages
	is "the adapter is not loaded into a program that has Lua inside${library:+, beside a shared one}" 0 $?
	is "the program is counted as without the adapter" "1 1 " "$(calls main) $(calls lua_newstate) $(losses)"
done
is "the adapter needs libc alone" "" "$(readelf -d "$ZPROF_BUILD/libzprof-lua.so" | grep NEEDED | grep -v 'libc\.so\.6')"
finish
