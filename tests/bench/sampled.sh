#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled.sh - `zprof record --sampled` beside `perf record`, of gawk, jq and Lua as Debian has them, 1,000 samples a second each. Prints the
# shares of those of the ten functions that perf finds most often which both name, and of each file that is mapped; the status is 1 if one
# is further apart than 6 standard deviations (shares.py): for the 45 of this script, chance does that once in 10^7 runs. Samples in
# the kernel are in no share: zprof would charge them to the functions that called it, perf to none.
#
#   tests/bench/sampled.sh BUILD
build=$(cd "${1:?usage: tests/bench/sampled.sh BUILD}" && pwd)
here=$(cd "${0%/*}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
command -v perf >/dev/null 2>&1 || { echo "SKIPPED: there is no perf (linux-perf)" >&2; exit 0; }
python3 -c 'import json; json.dump([{"a": i, "b": ["x" * (i % 20), i * 1.5]} for i in range(400000)], open("data.json", "w"))'
failed=0

# compare NAME PROGRAM...
compare() {
	name=$1
	shift
	command -v "$1" >/dev/null 2>&1 || { echo "SKIPPED: there is no $1" >&2; return; }
	perf record -q -e task-clock -c 1000003 -o out.perf -- "$@" >/dev/null 2>&1 || { echo "SKIPPED: perf is refused" >&2; return; }
	"$build/zprof" record --quiet --force --sampled -o out.zp "$@" >/dev/null 2>&1
	python3 "$here/sampled.py" "$build/zprof" "$name" || failed=1
}
compare gawk gawk 'BEGIN { for (i = 0; i < 6000000; i++) a[i % 1000] += length(i "x"); print a[3] }'
compare Lua lua5.4 -e 'local t = {} for i = 1, 6000000 do t[i % 1000] = (t[i % 1000] or 0) + #tostring(i) end print(t[3])'
compare jq jq -c 'map(.a * 2) | add' data.json
exit $failed
