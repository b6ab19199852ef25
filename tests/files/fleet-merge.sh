#!/bin/sh
# SPDX-License-Identifier: MIT
# A fleet's profiles in one file, and compared by what they are of: zprof merge and zprof diff --by. (FLEET=10000: at full size.)
. "${0%/*}/../lib/golden.sh"
root=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/../lib/fleet.sh"
zprof=$ZPROF_BUILD/zprof
make_whole_fleet
mkdir -p tmp
export TMPDIR=$PWD/tmp

sum() { # FILE... : calls, one number
	"$zprof" report --json "$@" 2>errors | /usr/bin/python3 -c 'import json, sys; print(sum(f["calls"] for f in json.load(sys.stdin)["functions"]))'
}
times=$(command -v /usr/bin/time)
"$times" -o used -f '%U %S %M' "$zprof" merge -o fleet.zp fleet 2>said
is "all profiles are merged" 1 "$(grep -c "^zprof: $(printf "%d" "$FLEET" | sed ':a; s/\B[0-9]\{3\}\>/,&/; ta') profiles, 1 rank" said)"
awk -v n="$FLEET" '{ printf "# %.2f ms of processor time a profile, %.0f MB\n", ($1 + $2) * 1000 / n, $3 / 1024; exit $3 > 500 * 1024 }' used
tap $? "memory does not grow with their number: at most 500 MB"
# Each copy multiplies the calls of its build, as make_fleet.c says.
cat >expected.py <<'P'
import sys
count, calls = int(sys.argv[1]), [int(c) for c in sys.argv[2:]]
print(sum((1 + (i * 2654435761 % 2 ** 32 >> 16) % 4) * calls[i % len(calls)] for i in range(count)))
P
each=
for build in $(ls builds/*.zp | sort -V); do each="$each $(sum "$build")"; done
# shellcheck disable=SC2086
is "no call is lost" "$(/usr/bin/python3 expected.py "$FLEET" $each)" "$(sum fleet.zp)"

# ---- diff --by
old=$(version_of 24) new=$(version_of 25)
short_old=$(printf %.12s "$old") short_new=$(printf %.12s "$new")
"$times" -o used -f '%U %S %M' "$zprof" diff --by "version=$short_old,$new" fleet >out 2>said
is "no message" "" "$(cat said)"
awk '{ printf "# --by: %.2f s of processor time, %.0f MB\n", $1 + $2, $3 / 1024 }' used
is "two versions, by the beginnings of their build-ids" "before: version $short_old after: version $short_new" \
	"$(sed -n 's/  (.*//; s/: */: /; 1,2p' out | paste -sd' ')"
"$zprof" diff --json --all --by "version=$old,$new" fleet >diff.json 2>errors
per_call() { # SIDE NAME: self ticks for each call
	/usr/bin/python3 -c 'import json, sys
side = int(sys.argv[1])
for f in json.load(open("diff.json"))["functions"]:
    if f["name"] == sys.argv[2]: print(round(f["self_ns"]["values"][side] / f["calls"]["values"][side], 6))' "$@"
}
is "the function that got slower, by its time for each call, and one that did not" "3.0 5.0 1.0 1.0" \
	"$(per_call 0 fetch_3) $(per_call 1 fetch_3) $(per_call 0 fetch_4) $(per_call 1 fetch_4)"
expect 0 "after:  host h002" "$zprof" diff --by host=h001,h002 fleet
expect 0 "before: version $short_new" "$zprof" diff --by "version=$short_new,$short_old" fleet
mkdir -p four
cp fleet/00000[0-3].zp four
expect 0 "version $(version_of "$(basename "$(ls builds/*.zp | sort -V | head -1)" .zp)" | cut -c-12)" "$zprof" diff --by version four
mkdir -p wide
"$ZPROF_BUILD/tests/make_fleet" wide 17 17 builds/24.zp
expect 1 "have 17 hosts, and at most 16 can be compared; the latest two are '--by host=h015,h016'" "$zprof" diff --by host wide
expect 1 "no profile has a version that begins with 'none'" "$zprof" diff --by version=none,x fleet
expect 1 "several versions that begin with ''" "$zprof" diff --by version=,x fleet
expect 1 "'$short_old' is named twice" "$zprof" diff --by "version=$short_old,$short_old" fleet
expect 1 "all profiles have one version" "$zprof" diff --by version fleet/000000.zp
expect 1 "--by is version or host, not 'colour'" "$zprof" diff --by colour fleet
is "nothing is left" "" "$(ls tmp)"
finish
