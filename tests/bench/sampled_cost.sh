#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled_cost.sh - what sampling costs a program, beside the same program without it.
#
#   tests/bench/sampled_cost.sh BUILD
#
#   sampled    gawk, Lua and jq as Debian has them, plain and by `zprof record --sampled` (1,000 samples a second), as sampled.sh has them
#   inside     sqlite and a C++ program (work_cxx.cc) with hooks, recorded: with inside=stack, with
#              events=context-switches and with events=page-faults, beside none of these
#
# Each round runs all kinds of a program one after the other, the first of them in turn. A row has the ratios of a kind's runs to the first kind's
# of the same round: their median, and the ratio of the least of each; of user and system time of the program alone, of that of all
# processes (zprof's own, too, with the names that it looks up at the end), and of the time that passed, which needs a quiet machine.
# ROUNDS=11 rounds; runs take some 3 s. It judges nothing: times depend on the machine.
build=$(cd "${1:?usage: tests/bench/sampled_cost.sh BUILD}" && pwd)
cd "${0%/*}/../.." || exit 2
root=$(pwd) folder=$build/bench/inside cost=$(pwd)/tests/bench/costs.py
mkdir -p "$folder" && cd "$folder" || exit 2
zprof="$build/zprof record --quiet --force -o cost.zp"

python3 -c 'import json; json.dump([{"a": i, "b": ["x" * (i % 20), i * 1.5]} for i in range(400000)], open("data.json", "w"))'
measure() { # NAME PROGRAM...
	name=$1
	shift
	command -v "$1" >/dev/null 2>&1 || { echo "SKIPPED: there is no $1" >&2; return; }
	python3 "$cost" "$name" plain: "--sampled:$zprof --sampled" -- "$@"
}
measure gawk gawk 'BEGIN { for (i = 0; i < 9000000; i++) a[i % 1000] += length(i "x"); print a[3] }'
measure Lua lua5.4 -e 'local t = {} for i = 1, 9000000 do t[i % 1000] = (t[i % 1000] or 0) + #tostring(i) end print(t[3])'
measure jq jq -c 'map(.a * 2) | add' data.json data.json

hooks() { # NAME PROGRAM...
	name=$1
	shift
	[ -x "$1" ] || { echo "SKIPPED: $1 is not built; make bench-inside-lines builds sqlite" >&2; return; }
	python3 "$cost" "$name" "none:$zprof" "inside=stack:$zprof --inside=stack" "switches:$zprof --events=context-switches" "faults:$zprof --events=page-faults" -- "$@"
}
sed 's/TURNS/40/' "$root/tests/bench/inside_lines.sql" >cost.sql
hooks sqlite "$folder/sqlite-hooks/sqlite" -batch :memory: ".read cost.sql"
hooks C++ "$build/bench/cxx.hooks" 120 1000000
