#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled-views.sh - each view and export of a program sampled from outside says that its calls were not counted, and none shows a number
# of calls; beside a profile that has hooks, and merged with it, numbers are of that one alone.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"
${CC:-gcc} -g -O2 -fno-optimize-sibling-calls -pthread -o program "$root/tests/second_run/sampled.c" || exit 1
# shellcheck disable=SC2046
${CC:-gcc} -g -O1 -pthread $("$zprof" cflags) -o hooked "$root/tests/second_run/sampled.c" || exit 1
"$zprof" record --quiet --sampled -o out.zp ./program
"$zprof" record --quiet -o hooked.zp ./hooked
printf '[group turns]\nfunc = turn\n' >zprof.groups

# counts FILE - the numbers of calls in JSON, one a line: `null` or a number
counts() {
	jq '.. | objects | to_entries[] | select(.key == "calls" or .key == "recursive_calls").value' "$1" | sort -u | tr '\n' ' '
}
for view in report 'report --tree' 'report --callers' graph groups 'annotate --func turn' info; do
	"$zprof" ${view%% *} --json $(echo "$view" | cut -s -d' ' -f2-) out.zp >out.json 2>said
	is "$view: numbers of calls are null" "null " "$(counts out.json)"
done
"$zprof" report --json out.zp >out.json
holds "JSON says that the program was sampled" grep -q '"sampled":true' out.json
"$zprof" diff --json out.zp out.zp.2 | sed -n '/^"functions"/,$p' >diff.json
holds "diff --json has no calls of functions" sh -c '! grep -q "\"calls\":" diff.json'
"$zprof" diff out.zp hooked.zp >diff 2>/dev/null
holds "diff with a counted profile says what is not compared" grep -q 'calls are not compared' diff
holds "and compares no calls" sh -c "! grep -q '^calls' diff"
"$zprof" diff --fail 'calls>+1%' out.zp out.zp.2 2>said >diff
holds "a condition on calls is refused" grep -q 'was sampled from outside, and has no calls' said
for view in report graph brief groups 'annotate --func turn'; do
	"$zprof" $view out.zp >text 2>said
	holds "$view shows that calls were sampled" grep -qw sampled text
	holds "$view says in its head that none was counted" grep -q 'calls were not counted' text
	holds "$view says what hooks would add, once" test "$(grep -c 'Hooks would add' text)" = 1
	holds "$view says how many stacks are cut" grep -q '^Stacks cut: [0-9]* of [0-9]* samples, ' text
done
"$zprof" info out.zp >text
holds "info says that calls were not counted" grep -q 'calls  *not counted' text
"$zprof" tune out.zp >text 2>said
holds "tune says that there are no hooks" grep -q 'no hooks to leave out' said

for format in csv functions arcs dot callgrind pprof speedscope firefox folded gmon cpuprofile; do
	"$zprof" export --format=$format -o out.$format out.zp || tap 1 "export of $format"
done
# the columns of calls are empty: behind the group, behind the line, behind the callee
holds "csv has no numbers of calls" sh -c "! sed 1d out.csv | grep -v ',\"[^\"]*\",,,'"
holds "nor has the table of functions" sh -c "! sed 1d out.functions | grep -v '\",[0-9]*,,,[0-9]'"
holds "nor has the table of arcs" sh -c "! sed 1d out.arcs | grep -v '\",,[0-9]'"
holds "dot shows none" sh -c "grep -q sampled out.dot && ! grep -Eq '[0-9] calls?|×' out.dot"
holds "callgrind's format says that 1 stands for any number" grep -q '^desc: Calls: not counted' out.callgrind
is "and has no other number of calls" "calls=1" "$(grep -o '^calls=[0-9]*' out.callgrind | sort -u)"
holds "pprof has no type for calls" sh -c "zcat <out.pprof | strings -n 4 | grep -q ^time && ! zcat <out.pprof | strings -n 4 | grep -q ^calls"
for format in speedscope firefox; do
	holds "$format has a track of time and none of calls" sh -c "grep -q ': time' out.$format && ! grep -q ': calls' out.$format"
done
"$zprof" export --format=ordering out.zp >text 2>said
is "an order by calls is refused" 1 $?
holds "and the reason is named" grep -q 'no call was counted' said
"$zprof" html -o out.html out.zp 2>said
holds "the page knows that calls were not counted" grep -q '"sampled":true' out.html
"$zprof" diff --html -o diff.html out.zp hooked.zp 2>said
holds "and so does that of a comparison" grep -q '"sampled":true' diff.html

"$zprof" merge -o merged.zp out.zp hooked.zp 2>said
"$zprof" report merged.zp >text 2>said
holds "merged with a counted profile, it is still sampled" grep -q 'a process was sampled from outside: calls are of the others' text
holds "and the other has its counts" grep -Eq ' [1-9][0-9,]* .* turn' text
is "a merged profile of sampled processes alone has no counts" null \
	"$("$zprof" merge -o both.zp out.zp out.zp.2 2>said; "$zprof" info --json both.zp >both.json; counts both.json | tr -d ' ')"
finish
