#!/bin/sh
# SPDX-License-Identifier: MIT
# live-frames.sh - `zprof top` of a program with frames: the list, the slowest, back and forward, its functions and contexts.
options=frame=turn,history=full
. "${0%/*}/../lib/live.sh"
begin "$ZPROF_BUILD/tests/programs/gcc-O2/live"
open_screen 100 24 "$zprof" top "$program"
shows "the program is shown" ' busy'
key l
shows "l: the frames that were kept" 'turn, frame [0-9]'
shows "with their wall times, as shares of the slowest" '100.0 .*turn, frame'
key F
shows "F: the slowest, function by function" 'frame [0-9]* of turn, [0-9]'
shows "with the calls of that frame alone" '^  *7 .* busy'
gone "and of its thread alone" '^  *[1-9][0-9,]* .* errand'
key c
shows "its call graph" 'call graph of .*; frame [0-9]* of turn'
key l Home Enter
shows "Enter in the list: that frame" '; frame [0-9]* of turn'
key 1 ']'
shows "]: there is no newer one" 'no newer frame is kept'
key '['
shows "[: the latest" '; frame [0-9]* of turn'
latest=$(screen | sed -n 's/.*; frame \([0-9]*\) of turn.*/\1/p')
key '['
shows "[ again: the one before" "; frame $((latest - 1)) of turn"
key x '*'
shows "its contexts" '^  *1 .* +*-*turn'
key 1
shows "1: the average again" '; average of 2 s'
kill -9 "$program"
shows "the program is killed" 'killed'
key F
shows "its slowest frame is still there" '; frame [0-9]* of turn'
key q
shows "and out" '^status 0'
finish
