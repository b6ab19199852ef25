#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any-refused.sh - calls made by a function that cannot be displaced are those of the nearest caller that is, never of a function
# that has returned from the same stack frame (refused.c). check=1 would say so.
. "${0%/*}/../lib/tap.sh"
root=$(cd "${0%/*}/../.." && pwd) plans=$TEST_TMP/plans
cd "$TEST_TMP" && mkdir plans || exit 1
gcc -w -g -O1 -fno-optimize-sibling-calls "$root/tests/displace/refused.c" -o refused || exit 1
"$ZPROF_BUILD/tests/make_plan" "$plans" refused >planned || exit 1
is "the function is refused" "function loop" "$("$ZPROF_BUILD/zprof" plan --refused --anew refused | sed -n 's/^[0-9a-f]* refused //p')"
for way in "" ,check=1; do
	rm -f out
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS="plans=$plans,output=out$way" ./refused
	is "the program's result is right${way:+ ($way)}" 0 $?
	"$ZPROF_BUILD/zprof" report --tree --format calls,name out >tree 2>/dev/null
	is "its callee's calls are main's, and others are their callers'${way:+ ($way)}" "1 main
1000     callee
1000   other
2000   callee via refused" "$(sed -n 's/^ *\([0-9,]*\)  \( *[a-z].*\)$/\1 \2/p' tree | grep 'main$\|other$\|callee' | tr -d , | LC_ALL=C sort)"
	"$ZPROF_BUILD/zprof" info out >info 2>/dev/null
	is "no wrong caller is found${way:+ ($way)}" 0 "$(grep -c 'wrong caller\|did not agree' info)"
done
is "a report says how many functions are refused" 1 "$("$ZPROF_BUILD/zprof" report --width=0 out | grep -c "1 function was left alone, because no jump can be placed safely: ")"
listed="refused: 1 of 4 functions is left alone
  the function jumps to its own entry: each turn would count as a call
              refused"
list() { # FILE: what `info --refused` prints, without folder and offset
	"$ZPROF_BUILD/zprof" info --refused --width=0 "$1" 2>&1 | sed 's,^/.*/,,; s/^ *[0-9a-f]*  refused$/              refused/'
}
is "the list of a program has the function and the reason" "$listed" "$(list refused)"
is "the list of a profile is that of its program" "$listed" "$(list out)"
XDG_CACHE_HOME=$PWD/cache "$ZPROF_BUILD/zprof" record --any --only 'ref*d callee' -o only.zp ./refused 2>said
is "a run that records this function alone says that it cannot, and why; of others it says nothing" \
	"zprof: --only: 'refused' is left alone, and not recorded: the function jumps to its own entry: each turn would count as a call" "$(grep -e --only said)"
gcc -w -O1 -rdynamic "$root/tests/displace/refused.c" -o whole && strip -o stripped whole
is "a function without a name is listed with the one before it that has a name" \
	"stripped+$(nm whole | awk '$3 == "refused" { print $1 }' | sed 's/^0*/0x/'), after $(nm -D --defined-only --numeric-sort stripped | sort |
		awk -v at="$(nm whole | awk '$3 == "refused" { print $1 }')" '$2 == "T" && $1 <= at { name = $3 } END { print name ? name : "none" }')" \
	"$("$ZPROF_BUILD/zprof" info --refused --width=0 stripped 2>&1 | sed -n 's/^ *[0-9a-f]*  \(stripped+.*\)/\1/p')"
gcc -w -O1 "$root/tests/displace/refused.c" -o refused
is "there is none of a program that was built again" 1 "$(list out | grep -c "/refused' is not the file that was recorded, by its build-id\$")"
compared=$(awk '/compared with the real one/ { gsub(/,/, ""); print $1 }' info)
[ "${compared:-0}" -ge 4000 ]
tap $? "so many callers are compared: ${compared:-none}"

# ---- how much time is in it
#
# A sample stands for the time since the one before, which is one and a half periods at most, or that time counts as not seen
# (tests/lib/samples.sh). So at each of the two ends of a stretch, one and a half periods may be charged to the wrong side. A timer's
# sample may be 32 periods late, and stretches follow each other, so that much is wrong once. The rest of a stretch cannot be: its samples
# interrupt the function itself.
gcc -w -g -O1 "$root/tests/displace/refused_time.c" -o refused_time || exit 1
"$ZPROF_BUILD/tests/make_plan" "$plans" refused_time >planned || exit 1
is "one function is refused" "function loop" "$("$ZPROF_BUILD/zprof" plan --refused --anew refused_time | sed -n 's/^[0-9a-f]* refused //p')"
timed() { # WHAT IN OUT: CPU time in the refused function is that of IN stretches
	rm -f out
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS="plans=$plans,output=out" ./refused_time "$2" "$3" >spent || exit 1
	"$ZPROF_BUILD/zprof" report --json out >json 2>/dev/null
	"$ZPROF_BUILD/zprof" report --width=0 out 2>/dev/null | sed -n 's/^note: .* was left alone/# &/p'
	jq -e --argjson in "$(sed -n 's/^in //p' spent)" --argjson stretches "$2" '((3 * $stretches + 32) * 1e6) as $slack | .refused |
		.functions == 1 and (.at_least | not) and .sampled_ns >= $in - $slack and .sampled_ns <= $in + $slack and .sampled_ns <= .of_ns' json >/dev/null
	status=$?
	tap $status "$1"
	[ $status = 0 ] || { cat spent; jq -c .refused json; } | sed 's/^/# /'
}
timed "the time of a refused function is known by its samples" 30 10
timed "a function that was refused and never runs has none" 0 5
is "the report says that" 1 "$("$ZPROF_BUILD/zprof" report --width=0 out 2>/dev/null | grep -c 'left alone, .*: no sample was in it; its time is its callers')"
finish
