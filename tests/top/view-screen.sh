#!/bin/sh
# SPDX-License-Identifier: MIT
# view-screen.sh - `zprof view` on a terminal: a finished profile, its views, the way back, filters, sizes; in a pipe; from `zprof top`.
. "${0%/*}/../lib/live.sh"
live=$ZPROF_BUILD/tests/programs/gcc-O2/live
"$zprof" record --quiet --callsites --frame=turn -o done.zp "$live" 60 >/dev/null 2>record.err || sed 's/^/# /' record.err

open_screen 80 24 "$zprof" view done.zp
shows "the head is a report's" '^elapsed .* threads; [0-9,]* calls'
shows "functions, with the columns of a report" '^ [*]% self .* total .* calls .*name'
shows "by self time" ' busy\b'
gone "no rates" 'calls/s'
screen | awk 'length > 80 { exit 1 }'
tap $? "lines fit"
calls=$("$zprof" report --json done.zp | tr '{' '\n' | sed -n 's/.*"name": *"busy".*"calls": *\([0-9]*\).*/\1/p' | head -1)
screen | grep -q " ${calls:-none} .*busy"
tap $? "the calls are those of zprof report"
key /; type turn; key Enter
shows "the function under the cursor, with its place" '^turn  live.c:[0-9]'
key Enter
shows "Enter: its call graph" '^call graph of turn'
shows "its caller" ' [+]main\b'
shows "itself" ' -turn\b'
shows "its callees" '[ +]descend\b'
key /; type descend; key Enter; key Enter
shows "Enter goes on from there" '^call graph of descend'
key Escape
shows "Esc: back" '^call graph of turn'
key BSpace
shows "Backspace: back to where it began" '^functions by self time'
shows "with the cursor where it was" '^turn  live.c:[0-9]'
key Escape
shows "there is no way further back" 'this is where the view began'
key C
shows "C: callers" '^callers of each function'
shows "opened: who called it" '^ .*  -turn\b'
shows "below it" '^ .*    [ +]main$'
key -
gone "and closed" '    [ +]main$'
key x
shows "x: contexts" '-thread live'
shows "opened down to the function that the cursor was on" '^turn  live.c'
key '*'
shows "*: open along the largest" '[-+]turn'
key t
shows "t: by total time" '^ [*]% total'
key /; type turn; key Enter; key a
shows "a: its source" '^source of turn'
shows "with lines" ' line  source'
shows "and calls made from them" '^ .* [1-9][0-9,]* .*descend('
key /; type 'descend('; key Enter; key Enter
shows "Enter: the source of what the line calls" '^source of descend'
key Escape
shows "and back" '^source of turn'
key T
shows "T: threads" '^threads;'
key /; type worker; key Enter; key Enter
shows "Enter: only that thread" '^functions .*; thread [0-9]'
gone "with its functions alone" ' descend\b'
key Escape
shows "Esc: all threads" '^threads;'
key m
shows "m: groups" '(etc)'
key s r
shows "r: recursion level by level" "descend'4"
key r
gone "and in one row" "descend'4"
key f; type 'des*'; key Enter
shows "f: only some functions" '; only des'
gone "and no others" ' busy\b'
key u
shows "u: all functions" ' busy\b'
key F
shows "F: the slowest frame" '; frame [0-9]* of turn'
key Escape
gone "Esc: the whole" '; frame [0-9]* of turn'
key i
shows "i: about this profile" '^about this profile'
key j '?'
shows "?: the keys" '^keys of zprof view'
gone "of a finished profile alone" 'unwatch'
key j
tm resize-window -x 160 -y 50
shows "in a wide screen, places" ' busy  *live.c:[0-9]'
shows "and what is known of the times" '^times: '
tm resize-window -x 60 -y 12
shows "a small one" '^functions by self'
waits_for '% self.*name'
[ "$(screen | wc -l)" = 12 ] && screen | awk 'length > 60 { exit 1 }'
tap $? "60 by 12: lines fit"
key q
shows "q: the end" '^status 0'

open_screen 80 24 "$zprof" top done.zp
shows "zprof top of a process that has ended shows this view" '^ [*]% self'
key q
shows "and ends" '^status 0'

"$zprof" view --view callers --func busy --limit 1 done.zp >out 2>errors
[ $? = 0 ] && [ ! -s errors ] && grep -q ' [+]busy$' out
tap $? "in a pipe it prints"
# On a narrow screen, times stay beside their shares. Below the rows, which have no room for a whole name, there is no part of one.
name='one::inner::Container<std::vector<std::string,std::allocator<char>>,int>::compute_the_checksum_of_everything'
printf 'clock tsc 1000000000\nthread 1 t\n  %s 19039000 5000000\n' "$name" | "$ZPROF_BUILD/tests/make_profile" names.prof
"$zprof" view --width 60 names.prof >out
grep -q '^ [*]% self *self *calls  name' out && grep -q '5.00 ms *19,039,000 .*compute' out && [ "$(grep -c . out)" = 5 ]
tap $? "60 columns: times beside long names, which have no rest below"
"$zprof" view --thread worker done.zp >out 2>&1
grep -q ' errand' out && ! grep -q ' turn' out
tap $? "filters are those of other views"
"$zprof" view --view cat done.zp >out 2>&1
[ $? = 2 ] && grep -q 'view is self, total, callers' out
tap $? "an unknown view is named"
"$zprof" view nothing >out 2>&1
[ $? = 1 ] && grep -q "nothing" out
tap $? "a file that is not there is named"
finish
