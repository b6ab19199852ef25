#!/bin/sh
# SPDX-License-Identifier: MIT
# program-any-attach.sh - a program that nobody built with hooks, whose functions are switched off and on while it runs: `zprof detach`,
# `zprof attach`, `zprof unwatch` and `zprof watch`. It never notices, and what it called meanwhile is counted.
. "${0%/*}/../lib/attached.sh"
plans=$TEST_TMP/plans
mkdir "$plans"
gcc -w -g -O2 -I"$root" "$root/tests/programs/attached.c" -o attached -lpthread || exit 1
"$ZPROF_BUILD/tests/make_plan" "$plans" attached >planned || exit 1

begin() { # OPTIONS: runs ./attached with its functions displaced; makes $pid
	rm -f zprof.out* said
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=plans=$plans$1 ./attached >said 2>complaints &
	pid=$!
	while [ ! -s said ]; do sleep 0.02; done
}
sleeps() { # WHAT
	before=$(calls serve)
	sleep 0.3
	is "$1: nothing is recorded" "$before" "$(calls serve)"
}
reaches() { # NAME CALLS: waits until it has been called so often
	until [ "$(calls "$1")" -ge "$2" ]; do sleep 0.02; done
}

begin ""
reaches serve 1000
expect 1 "being recorded already" "$zprof" attach $pid
expect 0 "runs at its own speed" "$zprof" detach $pid
sleeps "after zprof detach"
expect 0 "until 'zprof detach" "$zprof" attach $pid
reaches serve $(($(calls serve) + 1000))
expect 0 "1 function is unwatched, 1 call of hooks switched off" "$zprof" unwatch $pid leaf
leaves=$(calls leaf)
reaches middle $(($(calls middle) + 1000))
more=$(($(calls leaf) - leaves))
[ $more -le $threads ]
tap $? "an unwatched function is counted no more, others are" || echo "# $more calls"
expect 0 "1 function is watched, 1 call of hooks switched on" "$zprof" watch $pid leaf
reaches leaf $(($(calls leaf) + 1000))
is "a function that is watched again is counted" 1 1
expect 0 "runs at its own speed" "$zprof" detach --stopped $pid
sleeps "all threads stopped"
stop "detached and attached"

begin ,start=off
sleeps "start=off"
expect 0 "recording process $pid" "$zprof" attach --for 200ms $pid
sleeps "after zprof attach --for"
counts_agree "start=off" 2
stop "start=off"

begin ,only=leaf
reaches leaf 1000
expect 0 "what --only left out" "$zprof" watch $pid middle
is "a function that only= left out has no trampoline" "" "$(calls middle)"
stop "only="
finish
