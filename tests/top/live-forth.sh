#!/bin/sh
# SPDX-License-Identifier: MIT
# live-forth.sh - `zprof top` of a running Forth: its words are lent zones, and count the processor's cycles.
. "${0%/*}/../lib/live.sh"
cat >loop.fth <<'END'
: inner  100 0 do i drop loop ;
: outer  10 0 do inner loop ;
: forever  begin outer again ;
forever
END
begin "$ZPROF_BUILD/vm-6502" --zones=words loop.fth

open_screen 80 24 "$zprof" top "$program"
shows "words are functions, with calls a second" '^ *[0-9][0-9,.]* .* inner'
shows "and with cycles" 'cycles.* name'
key /; type inner; key Enter Enter
shows "the call graph of a word" 'call graph of inner'
shows "and the word that called it" '+outer'
key BSpace; sleep 0.2; key BSpace; sleep 0.2; key BSpace
shows "down to the Forth's own" 'call graph of interpret'
key x '*'
shows "contexts: from the emulator's main" '-main'
shows "to the word" 'inner'
key q
shows "and out" '^status 0'
finish
