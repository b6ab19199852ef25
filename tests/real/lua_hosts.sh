#!/bin/sh
# SPDX-License-Identifier: MIT
# lua_hosts.sh - Debian's programs that have a shared Lua inside, or load one later, run a Lua program of calls of every kind: as installed programs do it, and
# recorded. Each prints the same, and the calls of each Lua function are those that a counter in Lua counts in the same host.
cd "${0%/*}/../.." || exit 2
. tests/lib/tap.sh
: "${ZPROF_BUILD:?is set by make}"
hosts=$ZPROF_BUILD/real/hosts
tests/real/packages.sh "$hosts" haproxy highlight neovim nmap premake4 python3-lupa rpm sysbench vim-nox || exit 1
unset ZPROF_OPTIONS LD_PRELOAD LUA_INIT LUA_PATH LUA_CPATH
programs=$PWD/tests/adapters/lua
usr=$hosts/root/usr
libraries=$(dirname "$(find "$usr/lib" -name 'liblinear.so*' | head -1)")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export HOME="$work" LC_ALL=C ALL="$programs/all.lua" COUNTS="$work/counts"

echo 'int x;' >x.c
cat >host.nse <<'END'
description = "runs the program that SCRIPT names"
categories = {"safe"}
prerule = function() return true end
action = function() dofile(os.getenv("SCRIPT")) return "done" end
END
cat >haproxy.end <<END
defaults
	mode http
	timeout client 1s
	timeout server 1s
	timeout connect 1s
listen here
	bind $work/socket
	http-request deny
END

run() { # HOST SCRIPT: with the preloaded libraries of $preload
	host=$1 script=$2
	case $host in
	haproxy)
		{ printf 'global\n\tlua-load %s\n' "$script"; cat haproxy.end; } >haproxy.cfg
		set -- "$usr/sbin/haproxy" -c -f haproxy.cfg ;;
	highlight) set -- "$usr/bin/highlight" --data-dir="$usr/share/highlight" --plug-in="$script" -S c -O txt x.c ;;
	lupa) # loads LuaJIT as Python imports the module
		set -- env PYTHONPATH="$usr/lib/python3/dist-packages" /usr/bin/python3 -c "import lupa
lupa.LuaRuntime().eval('dofile')('$script')" ;;
	nmap) set -- env NMAPDIR="$usr/share/nmap" SCRIPT="$script" "$usr/bin/nmap" -n --script ./host.nse ;;
	nvim) set -- env VIMRUNTIME="$usr/share/nvim/runtime" "$usr/bin/nvim" --headless -u NONE -i NONE -c "luafile $script" -c 'qa!' ;;
	premake4) set -- "$usr/bin/premake4" --file="$script" --version ;;
	rpm) set -- env RPM_CONFIGDIR="$usr/lib/rpm" "$usr/bin/rpm" --eval "%{lua: dofile('$script')}" ;;
	sysbench) set -- "$usr/bin/sysbench" "$script" help ;;
	vim) set -- "$usr/bin/vim.nox" -es -u NONE -i NONE -c "luafile $script" -c 'qa!' ;;
	esac
	env LD_LIBRARY_PATH="$libraries" $preload "$@" </dev/null 2>&1
}
calls_of_all() { # PROFILE -> "LINE CALLS" of each function of all.lua
	"$ZPROF_BUILD/zprof" report --json --full-names --all "$1" | tr '\n' ' ' | sed 's/{"id"/\n{"id"/g' |
		sed -nE 's/.*all\.lua","line":([0-9]+),"group":"lua","calls":([0-9]+).*/\1 \2/p' | sort -n
}

for host in haproxy highlight lupa nmap nvim premake4 rpm sysbench vim; do
	rm -f counts p.out*
	preload=
	run $host "$programs/count.lua" >said.counter
	tr '\t' ' ' <counts | sed 's/^0 /1 /' | sort -n >counted
	is "$host: there are many functions" 18 "$(wc -l <counted)"
	run $host "$ALL" >said.plain
	status=$?
	preload="LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=$work/p.out"
	run $host "$ALL" >said.recorded
	is "$host: ends as without zprof" $status $?
	# nmap tells the time
	sed -i '/^Starting Nmap/d; /^Nmap done/d' said.plain said.recorded
	same "$host: prints the same as without zprof" said.plain said.recorded
	for profile in p.out*; do calls_of_all "$profile"; done >recorded
	same "$host: the calls of each function are those counted in Lua" counted recorded
	is "$host: nothing is missing" "" "$(for profile in p.out*; do "$ZPROF_BUILD/zprof" report "$profile" 2>&1; done |
		grep -E 'missing|missed|no sense|matched no|not recorded|profiler of its own')"
done
finish
