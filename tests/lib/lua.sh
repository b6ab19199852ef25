# SPDX-License-Identifier: MIT
# lua.sh - what the profiles of Lua programs say. Sourced by the tests of the adapter of Lua, beside tap.sh.
#
#   record_with PROGRAM ARGUMENT...    -> p.out*, said, messages
#   functions                          -> the functions of p.out*, one a line, as JSON
#   calls NAME                         -> the calls of a function
#   counted [PREFIX]                   -> "LINE CALLS" of each Lua function of all.lua, or of the file PREFIX-all.lua; the profile has the
#                                         chunk itself at line 1, Lua at line 0
#   who_calls_whom                     -> "LINE LINE CALLS" of each pair of Lua functions
#   calls_from CALLER CALLEE           -> the calls
#   losses                             -> lines of the report that say that something is missing
zprof=$ZPROF_BUILD/zprof
unset LUA_INIT LUA_PATH LUA_CPATH

record_with() {
	rm -f p.out*
	"$zprof" record -o p.out "$@" >said 2>messages </dev/null
}
functions() { "$zprof" report --json --full-names --all p.out* 2>/dev/null | tr '\n' ' ' | sed 's/\], "arcs":.*//; s/{"id"/\n{"id"/g'; }
calls() { functions | sed -n "s/.*\"name\":\"$1\",.*\"calls\":\([0-9]*\).*/\1/p"; }
counted() {
	functions | sed -nE 's/.*"name":"'"${1:+$1-all\.}"'.*"line":([0-9]+),"group":"lua","calls":([0-9]+).*/\1 \2/p' | sort -n
}
who_calls_whom() {
	"$zprof" graph --json --full-names --all p.out* 2>/dev/null | python3 -c '
import json, sys
graph = json.load(sys.stdin)
line = {f["id"]: f["line"] for f in graph["functions"] if f["group"] == "lua"}
for a in graph["arcs"]:
	if a["calls"] and a["caller"] in line and a["callee"] in line:
		print(line[a["caller"]], line[a["callee"]], a["calls"])' | sort -n
}
calls_from() {
	"$zprof" graph --json --full-names --all p.out* 2>/dev/null | python3 -c '
import json, sys
graph = json.load(sys.stdin)
name = {f["id"]: f["name"] for f in graph["functions"]}
print(sum(a["calls"] for a in graph["arcs"] if [name.get(a["caller"]), name.get(a["callee"])] == sys.argv[1:]))' "$@"
}
losses() { "$zprof" report p.out* 2>&1 | grep -E 'missing|missed|no sense|matched no|not recorded|without returning|profiler of its own'; }
