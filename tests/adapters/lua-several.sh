#!/bin/sh
# SPDX-License-Identifier: MIT
# lua-several.sh - programs with several Luas: the calls of each are those that a counter in Lua counts with that Lua alone.
. "${0%/*}/../lib/tap.sh"
programs=$(cd "${0%/*}" && pwd)/lua
zprof=$ZPROF_BUILD/zprof
unset LUA_INIT LUA_PATH LUA_CPATH

record() { # PROGRAM ARGUMENT... -> p.out*, said
	rm -f p.out*
	"$zprof" record -o p.out "$@" >said 2>messages </dev/null
}
functions() { "$zprof" report --json --full-names --all p.out* 2>/dev/null | tr '\n' ' ' | sed 's/{"id"/\n{"id"/g'; }
counted() { # VERSION -> "LINE CALLS" of each Lua function of its script; the profile has the chunk itself at line 1, Lua at line 0
	functions | sed -nE 's/.*"name":"'"$1"'-all\..*"line":([0-9]+),"group":"lua","calls":([0-9]+).*/\1 \2/p' | sort -n
}
calls() { functions | sed -n "s/.*\"name\":\"$1\",.*\"calls\":\([0-9]*\).*/\1/p"; } # NAME
calls_from() { # CALLER CALLEE
	"$zprof" graph --json --full-names --all p.out* 2>/dev/null | python3 -c '
import json, sys
graph = json.load(sys.stdin)
name = {f["id"]: f["name"] for f in graph["functions"]}
print(sum(a["calls"] for a in graph["arcs"] if [name.get(a["caller"]), name.get(a["callee"])] == sys.argv[1:]))' "$@"
}
losses() { "$zprof" report p.out* 2>&1 | grep -E 'missing|missed|no sense|matched no|not recorded|profiler of its own'; }

names='' skipped=''
for version in lua5.1 lua5.2 lua5.3 lua5.4 luajit-5.1; do
	library=$(ls /usr/lib/*/lib$version.so.? 2>/dev/null | head -1)
	if [ -z "$library" ]; then
		skip "programs of several Luas" "lib$version is not there"
		skipped=1
		continue
	fi
	name=$(echo $version | tr -d .-)
	names="$names $name"
	cp "$programs/all.lua" "$name-all.lua"
	gcc -g -O1 -pthread "$programs/host.c" -o "host-$name" "$library"
	gcc -g -O1 -pthread -shared -fPIC -Wl,-z,lazy -Dmain=run_host "$programs/host.c" -o "$name.so" "$library"
	gcc -g -O1 -pthread -Dmain=run_host -c "$programs/host.c" -o own.o
	gcc -g -O1 -pthread -rdynamic -Wl,-z,lazy "$programs/several.c" own.o -o "several-$name" "$library"
	ALL=$name-all.lua "./host-$name" "$programs/count.lua" | tr '\t' ' ' | sed 's/^0 /1 /' | sort -n >"plain-$name"
done
[ -z "$skipped" ] || {
	finish
	exit
}
is "there are five Luas, and each calls eighteen functions" "18 18 18 18 18" "$(for name in $names; do wc -l <"plain-$name"; done | xargs)"
gcc -g -O1 -pthread "$programs/several.c" -o several

each_is_right() { # WHAT NAME...: the counts of each are those of its own counter
	what=$1
	shift
	for name in "$@"; do
		counted "$name" >"recorded-$name"
		same "$what: the calls of $name are those counted in it" "plain-$name" "recorded-$name"
	done
	is "$what: nothing is missing" "" "$(losses)"
}
cat >outer.lua <<'END'
local function leaf() end
local inner = package.loadlib(os.getenv("PLUGIN"), "run_inner")
local function calls_inner()
	inner()
	inner()
	leaf()
end
local function down(n)
	leaf()
	if n > 0 then
		down(n - 1)
		leaf()
	end
end
local function all()
	down(5)
	calls_inner()
	down(4)
end
all()
END
for pair in "lua51 luajit51" "lua53 lua54" "lua52 lua51" "lua54 luajit51"; do
	set -- $pair
	record ./several 0 "./$1.so" "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "plugins of $1 and $2, one after the other" "$1" "$2"
	record ./several 1 "./$1.so" "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "plugins of $1 and $2, at a time" "$1" "$2"
	cp outer.lua "$1-outer.lua"
	INNER=$2-all.lua PLUGIN=./$2.so record ./several 0 "./$1.so" "$1-outer.lua"
	counted "$2" | awk '{ print $1, $2 / 2 }' >recorded
	same "$1 calls a function in C that runs $2, twice: its calls are those counted in it" "plain-$2" recorded
	is "$1 goes on where it was: the calls" "21 11 1" "$(calls "$1-outer.leaf") $(calls "$1-outer.down") $(calls "$1-outer.calls_inner")"
	is "$1 goes on where it was: the callers" "20 from down, 1 from calls_inner" "$(calls_from "$1-outer.down" "$1-outer.leaf") from down, $(calls_from "$1-outer.calls_inner" "$1-outer.leaf") from calls_inner"
	is "$1 and $2: nothing is missing" "" "$(losses)"
done
for pair in "lua51 lua54" "lua52 lua53" "lua53 lua54" "lua54 lua52"; do
	set -- $pair
	record "./several-$1" 0 - "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "a host with $1 and a plugin with $2" "$1" "$2"
done
record ./several 0 ./lua51.so lua51-all.lua ./lua52.so lua52-all.lua ./lua53.so lua53-all.lua ./lua54.so lua54-all.lua ./luajit51.so luajit51-all.lua
is "of five Luas four are recorded" "676 676 676 676 " "$(calls lua51-all.fib) $(calls lua52-all.fib) $(calls lua53-all.fib) $(calls lua54-all.fib) $(calls luajit51-all.fib)"
is "and the report counts the fifth" 1 "$("$zprof" report p.out | grep -c '^ *1  interpreters within the process whose calls are not recorded')"
finish
