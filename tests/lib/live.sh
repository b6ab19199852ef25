# SPDX-License-Identifier: MIT
# Sourced by tests of the live view: a program that runs, and a terminal that tmux plays.
#
#   begin PROGRAM...      starts a recorded program in the background; its pid is $program
#   open_screen W H COMMAND...
#   shows WHAT PATTERN    waits until a line of the screen matches
#   gone WHAT PATTERN     waits until none does
#   key KEY...            as tmux names them; type TEXT sends letters
set -u
export LC_ALL=C.UTF-8
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"
screens=0 programs=

tm() { tmux -f /dev/null -S "$TEST_TMP/tmux$screens" "$@"; }
screen() { tm capture-pane -p; }
end_programs() {
	# shellcheck disable=SC2086
	[ -z "$programs" ] || kill -9 $programs 2>/dev/null
	tm kill-server 2>/dev/null
}
trap end_programs EXIT
trap 'exit 1' INT TERM

begin() {
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=${options:-} "$@" >program.out 2>&1 &
	program=$!
	programs="$programs $program"
	until "$zprof" snapshot -o "begun.$program" "$program" >/dev/null 2>&1; do
		kill -0 "$program" || { echo "# $1 has ended"; return; }
		sleep 0.1
	done
}

open_screen() {
	width=$1 height=$2
	shift 2
	tm kill-server 2>/dev/null
	screens=$((screens + 1))
	tm new-session -d -x "$width" -y "$height" "TERM=${terminal:-xterm-256color} $*; echo status \$?; sleep 300"
}

# A screen that is not there after five minutes does not come, and is printed.
waits_for() { # PATTERN
	tries=3000
	until screen | grep -q -e "$1" || [ $tries = 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	[ $tries != 0 ]
}
shows() {
	waits_for "$2"
	tap $? "$1" || { echo "# wanted: $2"; screen | sed 's/^/# /'; }
}
gone() {
	tries=3000
	while screen | grep -q -e "$2" && [ $tries != 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
	[ $tries != 0 ]
	tap $? "$1" || { echo "# not wanted: $2"; screen | sed 's/^/# /'; }
}
key() { tm send-keys "$@"; }
type() { tm send-keys -l "$1"; }
