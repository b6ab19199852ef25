#!/bin/sh
# SPDX-License-Identifier: MIT
# lua-several.sh - programs with several Luas: the calls of each are those that a counter in Lua counts with that Lua alone.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/lua.sh"
programs=$(cd "${0%/*}" && pwd)/lua

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
	is "$what: nothing is missing" "" "$(losses | grep -v 'without returning')"
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
	record_with ./several 0 "./$1.so" "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "plugins of $1 and $2, one after the other" "$1" "$2"
	record_with ./several 1 "./$1.so" "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "plugins of $1 and $2, at a time" "$1" "$2"
	cp outer.lua "$1-outer.lua"
	INNER=$2-all.lua PLUGIN=./$2.so record_with ./several 0 "./$1.so" "$1-outer.lua"
	counted "$2" | awk '{ print $1, $2 / 2 }' >recorded
	same "$1 calls a function in C that runs $2, twice: its calls are those counted in it" "plain-$2" recorded
	is "$1 goes on where it was: the calls" "21 11 1" "$(calls "$1-outer.leaf") $(calls "$1-outer.down") $(calls "$1-outer.calls_inner")"
	is "$1 goes on where it was: the callers" "20 from down, 1 from calls_inner" "$(calls_from "$1-outer.down" "$1-outer.leaf") from down, $(calls_from "$1-outer.calls_inner" "$1-outer.leaf") from calls_inner"
	is "$1 and $2: nothing is missing" "" "$(losses | grep -v 'without returning')"
done
for pair in "lua51 lua54" "lua52 lua53" "lua53 lua54" "lua54 lua52"; do
	set -- $pair
	record_with "./several-$1" 0 - "$1-all.lua" "./$2.so" "$2-all.lua"
	each_is_right "a host with $1 and a plugin with $2" "$1" "$2"
done
# ---- a plugin that has its Lua from a second library of the same names and versions
mkdir -p second && library=$(find /usr/lib -name 'liblua5.4.so.0' | head -1)
sed 's/liblua5\.4\.so\.0/liblua5.4.so.X/' "$library" >second/liblua5.4.so.X
gcc -g -O1 -pthread -shared -fPIC -Wl,-z,lazy -Dmain=run_host "$programs/host.c" -o second.so "$PWD/second/liblua5.4.so.X" -Wl,-rpath,"$PWD/second"
cp lua54-all.lua second-all.lua
record_with ./several 0 ./lua54.so lua54-all.lua ./second.so second-all.lua
each_is_right "two libraries of one version, each with a plugin" lua54
counted second >recorded
same "two libraries of one version, each with a plugin: the calls of the second are right, too" plain-lua54 recorded
for order in 0 deep; do
	record_with ./several-lua54 $order - lua54-all.lua ./second.so second-all.lua
	is "a host and a plugin with libraries of one version run ($order)" "0 " "$? $(cat said)"
	counted lua54 >recorded
	same "the host's calls are right" plain-lua54 recorded
	is "zprof says that it does not know which of the two the linker takes" 1 "$("$zprof" report p.out | grep -c '^ *1  interpreters within the process whose calls are not recorded')"
done
record_with ./several 0 ./lua51.so lua51-all.lua ./lua52.so lua52-all.lua ./lua53.so lua53-all.lua ./lua54.so lua54-all.lua ./luajit51.so luajit51-all.lua
is "of five Luas four are recorded" "676 676 676 676 " "$(calls lua51-all.fib) $(calls lua52-all.fib) $(calls lua53-all.fib) $(calls lua54-all.fib) $(calls luajit51-all.fib)"
is "and the report counts the fifth" 1 "$("$zprof" report p.out | grep -c '^ *1  interpreters within the process whose calls are not recorded')"
finish
