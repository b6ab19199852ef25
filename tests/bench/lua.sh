#!/bin/sh
# SPDX-License-Identifier: MIT
# lua.sh - what recording a Lua program costs, beside a counter in Lua and the profiler of LuaJIT.
#
#   tests/bench/lua.sh BUILD [RUNS]
#
# Each of RUNS rounds runs the program alone, under zprof, and with a hook that counts calls in Lua, one after the other; with LuaJIT also
# under its own profiler, jit.p, which takes samples. A row has the middle one of the rounds' ratios of CPU time to that of the program
# alone, and the least and the greatest. LuaJIT runs all in its interpreter, because a hook sees no calls of compiled code; the row
# `compiled` is the program alone with the compiler. The hook knows calls of functions, zprof whole contexts.
build=$(cd "${1:?usage: lua.sh BUILD [RUNS]}" && pwd) runs=${2:-9}
here=$(cd "$(dirname "$0")" && pwd)
work=$build/bench/lua
mkdir -p "$work" && cd "$work" || exit 2
for version in lua5.4 luajit-5.1; do
	library=$(find /usr/lib -name "lib$version.so.[0-9]" | head -1)
	[ "$library" ] || { echo "lib$version is not installed" >&2; continue; }
	gcc -O2 -pthread "$here/../adapters/lua/host.c" -o "host-$version" "$library" || exit 2
done
run() { # PEER [VARIABLE=VALUE...]
	peer=$1
	shift
	rm -f out*
	env WHAT="$what" PEER="$peer" "$@" "./$host" "$here/lua.lua" | head -1
}
for _ in $(seq "$runs"); do
	for host in host-*; do
		for what in calls coroutines objects strings; do
			name=${host#host-}:$what
			case $host in *jit*) plain=$(run interpreter) ;; *) plain=$(run "") ;; esac
			echo "$name zprof $(run "" ZPROF_OPTIONS=output=out LD_PRELOAD="$build/libzprof.so") $plain"
			echo "$name counter $(run hook) $plain"
			case $host in
			*jit*)
				echo "$name compiled $(run "") $plain"
				echo "$name jit.p $(run profiler) $plain" ;;
			esac
		done
	done
done | awk '{ print $1, $2, $3 / $4; if ($2 == "zprof") z[$1] = $3; if ($2 == "counter") print $1, "zprof/counter", z[$1] / $3 }' |
	sort -k1,2 -k3n | awk '
	function row() { printf "%-22s %-18s %6.2f  (%.2f to %.2f)\n", what, how, ratio[int((n + 1) / 2)], ratio[1], ratio[n] }
	$1 " " $2 != what " " how { if (n) row(); what = $1; how = $2; n = 0 }
	{ ratio[++n] = $3 }
	END { if (n) row() }'
