#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-seccomp.sh - a program that gives up its system calls while it is recorded: from then on the library makes none, counts in
# memory reserved before, and counts what found no room there.
. "${0%/*}/../lib/check.sh"
source=$(cd "${0%/*}" && pwd)/seccomp.c
cd "$TEST_TMP" || exit 2
${CC:-gcc} -O2 -g -pthread -finstrument-functions "$source" -o seccomp || exit 1

# survives WHAT LOST [library=FILE] [options=K=V,...] ARGUMENT...: LOST is `nothing` or `some`.
survives() {
	what=$1 expected=$2 library=$ZPROF_BUILD/libzprof.so options=
	shift 2
	while :; do
		case $1 in library=* | options=*) eval "${1%%=*}=\${1#*=}"; shift ;; *) break ;; esac
	done
	bad=0
	./seccomp "$@" >plain
	ZPROF_OPTIONS=output=profile${options:+,$options} LD_PRELOAD=$library ./seccomp "$@" >got 2>err
	status=$?
	[ $status = 5 ] || { bad=1; echo "# exit status $status, not 5"; }
	cmp plain got >&2 || bad=1
	sed 's/^/# stderr: /' err
	[ -s err ] && bad=1
	"$ZPROF_BUILD/zprof" report --json profile >json || bad=1
	recorded=$(tr '{' '\n' <json | sed -n '/"name":"\[zprof\]"/d; s/.*"name":.*"calls":\([0-9]*\).*/\1/p' | awk '{n += $1} END {print n + 0}')
	lost=$(sed -n 's/.*"loss_space":\([0-9]*\).*/\1/p' json)
	[ $((recorded + ${lost:-0})) = "$(cat plain)" ] || { bad=1; echo "# $(cat plain) calls, but $recorded recorded and ${lost:-0} lost"; }
	# or known by caller and callee alone, in the overflow table
	less=$((${lost:-0} + $(sed -n 's/.*"overflow":{"calls":\([0-9]*\).*/\1/p' json | grep . || echo 0)))
	[ "$expected" = "$([ $less = 0 ] && echo nothing || echo some)" ] || { bad=1; echo "# $less lost"; }
	"$ZPROF_BUILD/tests/check_conserved" profile || bad=1
	said=$("$ZPROF_BUILD/zprof" report profile | grep -c 'note: the program restricted its system calls')
	[ "$said" = "$([ "$1" = ask ] && echo 0 || echo 1)" ] || { bad=1; echo "# said $said times in the report"; }
	tap $bad "$what"
	rm -f profile
}

for how in strict prctl syscall; do
	survives "$how: new contexts, recursion, a handler" nothing $how few
	survives "$how: more contexts than were reserved" some $how many
	survives "$how: calls counted only" nothing options=clock=count $how few
done
survives "prctl: a thread that had begun" some prctl few thread
survives "syscall, for all threads: a thread that had begun" some syscall few thread
survives "prctl: with the stack checked" nothing options=check=7 prctl few
survives "prctl: with the system's clock" nothing library="$ZPROF_BUILD/tests/libzprof-distrusted.so" prctl few
survives "asking whether there are filters restricts nothing" nothing ask many

./seccomp prctl few first >plain
ZPROF_OPTIONS=output=profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./seccomp prctl few first >got
test $? = 5 && cmp plain got >&2 && test ! -e profile
tap $? "restricted before anything was recorded: nothing is recorded, and the program lives"
finish
