#!/bin/sh
# SPDX-License-Identifier: MIT
# lttng.sh - runs a program under LTTng's cyg-profile for the benchmark.
#
#   lttng.sh start            fails if LTTng is not installed; starts its daemon if none runs
#   lttng.sh run PROGRAM...   traces it into ./trace; the exit status is the program's
#   lttng.sh stop             ends the daemon, if it was started here
set -u
mine=${TMPDIR:-/tmp}/zprof-bench-sessiond.$(id -u)
case ${1:-} in
start)
	command -v lttng-sessiond >/dev/null && command -v lttng >/dev/null || exit 1
	lttng -q list >/dev/null 2>&1 && exit 0
	setsid lttng-sessiond --quiet >/dev/null 2>&1 &
	echo $! >"$mine"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.5
		lttng -q list >/dev/null 2>&1 && exit 0
	done
	exit 1
	;;
run)
	shift
	session=zprof-bench-$$
	lttng -q create "$session" -o "$PWD/trace" >/dev/null &&
		lttng -q enable-channel -s "$session" -u all --subbuf-size=16M --num-subbuf=4 >/dev/null &&
		lttng -q enable-event -s "$session" -u -c all 'lttng_ust_cyg_profile*' >/dev/null &&
		lttng -q start "$session" >/dev/null || exit 1
	# without the timeout, a program to which the daemon does not answer in 3 s runs on untraced
	LTTNG_UST_REGISTER_TIMEOUT=-1 LD_PRELOAD=liblttng-ust-cyg-profile.so "$@"
	status=$?
	timeout 20 lttng -q stop "$session" >/dev/null
	timeout 20 lttng -q destroy --no-wait "$session" >/dev/null
	[ "$(du -sk trace | cut -f1)" -ge 1000 ] || {
		echo "LTTng has recorded nothing" >&2
		exit 1
	}
	exit $status
	;;
stop)
	[ -f "$mine" ] || exit 0
	kill "$(cat "$mine")" 2>/dev/null
	rm -f "$mine"
	;;
*)
	echo "usage: lttng.sh start | run PROGRAM... | stop" >&2
	exit 2
	;;
esac
