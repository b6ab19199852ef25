#!/bin/sh
# SPDX-License-Identifier: MIT
# live-screen.sh - `zprof top` on a terminal: views, keys, filters, mouse, sizes, a program that is killed.
. "${0%/*}/../lib/live.sh"
live=$ZPROF_BUILD/tests/programs/gcc-O2/live
begin "$live"

open_screen 80 24 "$zprof" top "$program"
shows "the program and its number are shown" "/live .*pid $program, runs"
shows "functions, with calls a second" '^ *[0-9][0-9,.]* .*busy'
shows "what all threads did" '^2 threads, [0-9].*calls/s, on CPU [0-9]* %'
screen | awk 'length > 80 { exit 1 }'
tap $? "lines fit"
key t
shows "t: by total time" '^functions by total time'
shows "the column it is sorted by is marked" '[*]%total'
key /; type turn; key Enter; key Enter
shows "a search, and Enter: the call graph" '^call graph of turn'
shows "its caller above it" ' +main'
shows "itself" ' -turn'
shows "its callees below it" ' +descend'
key /; type busy; key Enter; key Enter
shows "Enter goes on from there" '^call graph of busy'
shows "all callers are there" ' +errand'
key BSpace; sleep 0.2; key BSpace
shows "backspace: the largest caller, until there is none" '^call graph of main'
key x
shows "x: contexts, a tree for each thread" '-thread worker'
key /; type 'thread live'; key Enter; key '*'
shows "*: open along the largest totals" '-turn'
key -
gone "-: closed" '[-+]main'
key +
shows "+: open" '[-+]main'
key T
shows "T: threads" '^threads;'
key /; type worker; key Enter; key Enter
shows "Enter: only that thread" '^functions .*; thread [0-9]'
gone "with its functions alone" 'descend'
shows "which are there" 'errand'
key u
shows "u: all threads" 'descend'
key r
shows "r: recursion level by level" "descend'4"
key r
gone "and in one row" "descend'4"
key f; type 'des*'; key Enter
shows "f: only some functions" '; only des\*'
gone "and no others" ' busy'
key u
shows "u: all functions" ' busy'
key m
shows "m: groups" '(etc)'
key s 3
shows "3: all that was counted" 'by self time; all'
shows "with sums" '\*%self .* self '
key 1
shows "the time that is shown first" '; average of 2 s; time on a processor$'
if screen | grep -q 'waits [0-9]* %'; then
	key M
	shows "M: time waited" '; average of 2 s; time waited$'
	key M
	shows "M again: all time" '; all time$'
	key M
	shows "and processor time with waits" '; time on a processor and waited$'
else # a timer takes the samples, and knows nothing of waits
	key M
	shows "M: all that the profile knows" '; average of 2 s$'
fi
key M
shows "M leads back to where it began" '; time on a processor$'
key 3
key z
shows "z: counters begin at zero" 'counters begin at zero'
shows "and the head says since when" '; all since'
key S Enter
shows "S: a snapshot" "saved as 'zprof.snapshot.$program'"
[ "$("$zprof" report --json "zprof.snapshot.$program" | grep -c '"name": *"busy"')" -gt 0 ]
tap $? "which is a profile"
key '?'
shows "?: the keys" 'keys of zprof top'
key j
gone "until the next key" 'keys of zprof top'
key 0
shows "0: the last interval" '; now'
key p
shows "p: pause" 'PAUSED'
screen >before; sleep 1.5; screen >after
cmp -s before after
tap $? "nothing moves"
key p
gone "p again: it goes on" 'PAUSED'

# A click on a head sorts, on a row moves there, again selects it. Columns and lines count from 1.
click() { tm send-keys -l "$(printf '\033[<0;%d;%dM\033[<0;%d;%dm' "$1" "$2" "$1" "$2")"; }
key s
click 10 4
shows "a click on a head sorts" '[*]calls/s'
key p
shows "the view stands still" PAUSED
line=$(screen | grep -n '^ *[0-9].* errand' | head -1 | cut -d: -f1)
click 60 "$line"; sleep 0.2; click 60 "$line"
shows "two clicks on a row: its call graph" '^call graph of errand'
key p

tm resize-window -x 60 -y 12
key s 3
shows "another size" '^functions by self'
waits_for '%self.*name'
[ "$(screen | wc -l)" = 12 ] && screen | awk 'length > 60 { exit 1 }' && screen | grep -q ' busy'
tap $? "60 by 12 shows functions, and lines fit"
tm resize-window -x 200 -y 50
shows "and a large one" 'waited'

kill -9 "$program"
shows "a killed program: its last numbers stay" 'pid .*killed'
shows "with its functions" ' busy'
key q
shows "q: the end" '^status 0'
finish
