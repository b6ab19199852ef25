#!/bin/sh
# SPDX-License-Identifier: MIT
# live-watch.sh - `zprof top`: W and w leave out what is under the cursor, and record it again.
. "${0%/*}/../lib/live.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
gcc -w -g -O1 -fno-inline -pg -mfentry -minstrument-return=call "$root/tests/programs/live.c" -o live -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread || exit 1
cat >zprof.groups <<'END'
[group errands]
func = errand
END
# It is our own child, so its memory may be written wherever a debugger may be used.
options=groups=$PWD/zprof.groups LD_LIBRARY_PATH=$ZPROF_BUILD begin ./live
open_screen 100 24 "$zprof" top "$program"
shows "functions" ' busy'
key f; type 'busy'; key Enter
shows "the function alone" '; only busy'
key W
shows "W: its hooks go off" 'process [0-9]*: 1 function is unwatched, [1-9][0-9]* calls of hooks switched off'
key 3
shows "its row says so" ' busy (unwatched)'
key w
shows "w: they go on" 'process [0-9]*: 1 function is watched, [1-9][0-9]* calls of hooks switched on'
gone "and the row no longer says so" ' busy (unwatched)'
key u; key m
shows "groups" 'errands'
key /; type 'errands'; key Enter
key W
shows "W on a group: its functions" 'process [0-9]*: 1 function is unwatched'
key T
shows "threads" '^threads;'
key W
shows "on a thread, a line says that there is none" 'no function or group is under the cursor'
key '?'
shows "the keys are in the help" 'W  unwatch it'
key j
kill -9 "$program"
shows "the program ends" 'killed'
key s W
shows "and has nothing to unwatch" 'the program has ended'
key q
shows "q: the end" '^status 0'

begin "$ZPROF_BUILD/tests/programs/gcc-O2/live"
open_screen 100 24 "$zprof" top "$program"
key f; type 'busy'; key Enter
shows "with -finstrument-functions" '[0-9] [mun]*s .* busy'
key W
shows "the line says that hooks stay" 'no hooks were switched'
key q
shows "the end" '^status 0'
finish
