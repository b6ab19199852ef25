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
is "a report says how many functions are refused" 1 "$("$ZPROF_BUILD/zprof" report out | tr -d '\n' | grep -c "functions left alone, because no jump can be placed safely.*: 1")"
listed="refused: 1 of 4 functions is left alone
  the function jumps to its own entry: each turn would count as a call
              refused"
list() { # FILE: what `info --refused` prints, without folder and offset
	"$ZPROF_BUILD/zprof" info --refused --width=0 "$1" 2>&1 | sed 's,^/.*/,,; s/^ *[0-9a-f]*  refused$/              refused/'
}
is "the list of a program has the function and the reason" "$listed" "$(list refused)"
is "the list of a profile is that of its program" "$listed" "$(list out)"
gcc -w -O1 "$root/tests/displace/refused.c" -o refused
is "there is none of a program that was built again" 1 "$(list out | grep -c "/refused' is not the file that was recorded, by its build-id\$")"
compared=$(awk '/compared with the real one/ { gsub(/,/, ""); print $1 }' info)
[ "${compared:-0}" -ge 4000 ]
tap $? "so many callers are compared: ${compared:-none}"
finish
