#!/bin/sh
# SPDX-License-Identifier: MIT
# The Forth's prompt, on a terminal that tmux plays: editing, history within a session and from one to the next,
# single keys, Ctrl-C in a line and in a loop, Ctrl-D.
set -u
. "${0%/*}/../lib/tap.sh"
command -v tmux >/dev/null || { skip 'the prompt' 'tmux is not installed'; finish; exit; }
sessions=0
tm() { tmux -f /dev/null -S "$TEST_TMP/tmux$sessions" "$@"; }
end_sessions() {
	for socket in "$TEST_TMP"/tmux[0-9]*; do tmux -S "$socket" kill-server 2>/dev/null; done
}
trap end_sessions EXIT INT TERM
has() { tm capture-pane -p | awk -v text="$1" 'index($0, text) == 1 { found = 1 } END { exit !found }'; }
shows() { # WHAT TEXT: waits until the screen has a line that begins with it
	tries=3000
	until has "$2" || [ $tries = 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	[ $tries != 0 ]
	tap $? "$1" || { echo "# wanted: $2"; tm capture-pane -p | sed 's/^/# /'; }
}
type_in() { tm send-keys -l "$1"; }
enter() { type_in "$1"; tm send-keys Enter; }
key() { tm send-keys "$@"; }
session() { # begins one, on a screen of its own; its shell outlives interrupts that come after the emulator's end
	sessions=$((sessions + 1))
	tm new-session -d -x 80 -y 40 "trap : INT; EDITOR='$TEST_TMP/editor -x' VM_6502_HISTORY='$TEST_TMP/history' '$ZPROF_BUILD/vm-6502' --dir='$TEST_TMP'; echo end \$?; stty -a | grep -o -w -e -icanon -e icanon; sleep 60"
}

session
shows 'it greets' 'Forth on a 6502'
enter '1 2 + .'
shows 'a line is run, and ok' '3  ok'
enter ': nine \;'
enter ': nine'
shows 'a definition spans lines' ' compiled'
enter '  9 \;'
enter 'nine nine + .'
shows 'and is run' '18  ok'
enter '." größe" depth .'
shows 'letters of any alphabet can be typed' 'größe0  ok'
type_in '7 .'; key Left; key Left; type_in '7'; key Enter
shows 'a line can be edited' '77  ok'
enter 'nowhere'
shows 'an error is reported' 'nowhere: undefined word'
enter '5 .'
shows 'and the session goes on' '5  ok'
enter 'variable v'
enter '1 v +! v @ 1000 + .'
shows 'a line counts' '1001  ok'
key Up; key Enter
shows 'and comes back from the history' '1002  ok'
key Up; key Up; key Down; key Enter
shows 'up and down' '1003  ok'
printf '%s\n' '' ': here' '   ;' >"$TEST_TMP/there.fth"
printf '%s\n' '#!/bin/sh' 'echo "editor: $*"; stty -a | grep -o -w -e -icanon -e icanon' >"$TEST_TMP/editor"
chmod +x "$TEST_TMP/editor"
enter 'include there.fth edit here'
shows 'edit opens the editor at the line of a word' "editor: -x +2 $TEST_TMP/there.fth"
shows 'with the terminal in its normal mode' 'icanon'
enter 'key? .'
shows 'KEY? says that there is no key' '0  ok'
enter '.( which) cr key 1+ emit'
shows 'a program asks' 'which'
type_in 'p'
shows 'KEY takes a single key' 'q ok'
enter '.( again) cr key drop'
shows 'a program asks again' 'again'
type_in 'p900 '; type_in '8 + .'; tm send-keys Enter
shows 'what is typed ahead begins the next line' '908  ok'
enter ': forever  ." for ever" cr  begin again \;'
enter 'forever'
shows 'a loop without end begins' 'for ever'
key C-c
shows 'Ctrl-C ends a loop' '^Cforever: interrupted'
type_in '1 2 3'
shows 'a line is begun' '1 2 3'
key C-c
shows 'Ctrl-C gives up a line' 'interrupted'
enter '.( waiting) cr 60000 ms'
shows 'a wait begins' 'waiting'
key C-c
shows 'Ctrl-C ends a wait' '^Cms: interrupted'
enter '90 9 + .'
shows 'the line before the last' '99  ok'
enter '3 (bye)'
shows 'the status is that of (bye)' 'end 3'

session
shows 'another session' 'Forth on a 6502'
key Up; key Up; key Enter
shows 'the lines of the one before are there' '99  ok'
key C-d
shows 'Ctrl-D leaves' 'end 0'

session
shows 'a third one' 'Forth on a 6502'
enter ': lost  ." going" cr  begin 1 >r again \;'
enter 'lost'
shows 'a program destroys its return stack' 'going'
# Two that come while the emulator is not scheduled count as one. So more are sent, each after the one before had time to
# end it.
ended() { tm capture-pane -p | grep -q '^\(\^C\)\{3,\}end 130$'; }
for i in 1 2; do sleep 0.2; key C-c; done
for _ in $(seq 60); do
	! ended || break
	key C-c
	tries=50
	until ended || [ $tries = 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
done
ended
tap $? 'three times Ctrl-C ends it'

session
enter 'variable v'
shows 'a fourth one' ' ok'
enter '.( which) cr key .'
shows 'which waits for a key' 'which'
shell=$(tm list-panes -F '#{pane_pid}')
pid=$(cat "/proc/$shell/task/$shell/children")
kill -STOP $pid; kill -TERM $pid; kill -CONT $pid
shows 'and is ended' 'end 143'
shows 'leaves the terminal as it was' 'icanon'

[ "$(stat -c %a history)" = 600 ]
tap $? 'only the user may read the history'
finish
