#!/bin/sh
# SPDX-License-Identifier: MIT
# live-processes.sh - how the live view finds its process: by number, file, name, from a list; programs that it starts;
# programs that end; prints for pipes and dumb terminals; counters reset, and snapshots.
. "${0%/*}/../lib/live.sh"
live=$ZPROF_BUILD/tests/programs/gcc-O2/live
mkdir bin && cp "$live" "bin/p$$"
begin "bin/p$$"
first=$program

"$zprof" top --batch 2 --delay 0.1 --average all "$first" >out 2>errors
[ $? = 0 ] && [ ! -s errors ] && [ "$(grep -c ' busy' out)" = 2 ] && [ "$(grep -c 'pid '"$first" out)" = 2 ]
tap $? "--batch 2 prints twice"
"$zprof" top --batch 1 --average all "zprof.out.$first" | grep -q ' busy'
tap $? "by its file"
"$zprof" top --batch 1 "p$$" | grep -q "pid $first"
tap $? "by its name"
"$zprof" top --batch 1 --sort calls --limit 2 --average all "$first" >out
sed -n '/name$/,$p' out | sed 1d | grep -c . | grep -qx 2 && sed -n '/name$/{n;p;}' out | grep -q ' busy'
tap $? "--sort and --limit choose rows"
"$zprof" top --batch 1 --view threads "$first" | grep -q 'worker [0-9]'
tap $? "--view threads"
"$zprof" top --batch 1 --thread worker --average all "$first" >out
grep -q ' errand' out && ! grep -q ' turn' out
tap $? "filters are those of other views"

says() { # STATUS TEXT COMMAND...
	status=$1 text=$2
	shift 2
	"$@" >out 2>&1 </dev/null
	[ $? = "$status" ] && grep -qF -e "$text" out
	tap $? "$* gives $status: $text" || sed 's/^/# /' out
}
says 1 "there is no process 999999999" "$zprof" top 999999999
says 1 "process $$ is not being recorded" "$zprof" top --batch 1 $$
says 1 "'nobody$$' is not a file, and no process of that name" "$zprof" top "nobody$$"
says 2 "--delay is in seconds" "$zprof" top --delay 0 "$first"
says 2 "--batch is a number of prints" "$zprof" top --batch 0 "$first"
says 1 "--view is self, total" "$zprof" top --view cat --batch 1 "$first"
says 2 "one process at a time" "$zprof" top 1 2
echo "this is text" >text
says 1 "is not a profile" "$zprof" top --batch 1 text

# the counters of two copies, the later less the earlier
# shellcheck disable=SC2086
calls_of() { "$zprof" report --json $1 | tr '{' '\n' | sed -n 's/.*"name": *"turn".*"calls": *\([0-9]*\).*/\1/p' | head -1; }
"$zprof" snapshot -o one "$first" >name
[ "$(cat name)" = one ] && [ "$(calls_of one)" -gt 0 ]
tap $? "zprof snapshot makes a profile of what was counted so far"
echo mine >notes
says 1 "cannot write 'notes': it is there, and is a file of another kind, not a snapshot" "$zprof" snapshot -o notes "$first"
says 0 "zprof.out.$first.base" "$zprof" reset "$first"
"$zprof" top --batch 1 --average all --func turn "$first" >out
"$zprof" snapshot -o two "$first" >name
shown=$(sed -n 's/^ *\([0-9,]*\) .* turn.*/\1/p' out | tr -d ,)
between=$(($(calls_of two) - $(calls_of one)))
[ -n "$shown" ] && [ "$shown" -gt 0 ] && [ "$shown" -le "$between" ] && grep -q 'all since' out
tap $? "zprof reset: top shows what came after"
[ "$(calls_of "--since=one two")" = $between ]
tap $? "--since FILE: a report of what came between two copies"
since=$("$zprof" report --since reset --json "zprof.out.$first" | tr '{' '\n' | sed -n 's/.*"name": *"turn".*"calls": *\([0-9]*\).*/\1/p' | head -1)
[ -n "$since" ] && [ "$since" -ge "$shown" ] && [ "$since" -le $(($(calls_of "zprof.out.$first") - $(calls_of one))) ]
tap $? "--since reset: a report of what came after it"
says 0 "only what came after 'zprof.out.$first.base'" "$zprof" graph --since reset "zprof.out.$first"
says 1 "'one' was not reset: there is no 'one.base'" "$zprof" report --since reset one
"$zprof" report --json . >whole
"$zprof" report --json "zprof.out.$first" >alone
[ "$(grep -c '"pid"' whole)" = "$(grep -c '"pid"' alone)" ]
tap $? "copies do not count as processes of the run"
rm "zprof.out.$first.base"

# several processes
begin "bin/p$$"
second=$program
says 1 "it is of another process" "$zprof" report --since "zprof.out.$second" one
says 1 "name one by its number" "$zprof" top --batch 1 "p$$"
open_screen 80 24 "$zprof" top "p$$"
shows "for several processes there is a list" "^ *$first .*p$$"
shows "with each" "^ *$second .*p$$"
key Down Enter
shows "the older is the second" "pid $first, runs"
key P
shows "P goes back to the list" 'processes that are being recorded'
key q
shows "q leaves" '^status 0'

# programs that it starts
"$zprof" top --batch 1 --average all -- "$live" 200 >out 2>errors
[ $? = 0 ] && grep -q ' busy' out
tap $? "zprof top -- PROGRAM starts it"
"$zprof" top -- sh -c "echo said; '$live' 100" >out 2>errors
tail -1 out | grep -qx said && grep -q 'pid .*, ended' out && grep -q ' turn' out
tap $? "and what it prints comes at the end"
says 1 "cannot run './none'" "$zprof" top -- ./none
says 1 "entered no function with hooks" "$zprof" top -- true

terminal=dumb
open_screen 80 24 "$zprof" top --delay 0.1 -- "$live" 300
shows "a dumb terminal gets prints" 'ended'
shows "until the program ends" '^status 0'
terminal=nothing-like-it
open_screen 80 24 "$zprof" top "$first"
shows "an unknown terminal is named" 'TERM=nothing-like-it'
finish
