#!/bin/sh
# SPDX-License-Identifier: MIT
# `zprof attach` and `zprof detach`, again and again, on a server under load: no request is lost, and only whole requests are
# counted. SERVER_TIMES: 4 here, 60 in `make test-long`.
. "${0%/*}/../lib/sites.sh"
connections=4

calls_of() { # NAME
	"$zprof" report --json "zprof.out.$pid" | tr '{' '\n' | sed -n "s/.*\"name\": *\"$1\".*\"calls\": *\([0-9]*\).*/\1/p"
}
near() { # A B SLACK
	[ $(($1 - $2)) -le "$3" ] && [ $(($2 - $1)) -le "$3" ]
}
# A request is lost if zprof has looked for the answer 2,000 times, and the server has served others for 5 s of processor time
# meanwhile. (How long that takes says nothing: a busy machine may let a process wait for the processor for half a minute.) Then
# the state of the server is printed.
looks() { sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' /proc/$attaching/status 2>/dev/null; }
served_for() { cut -d' ' -f14,15 /proc/$pid/stat | tr ' ' '+'; } # hundredths of a second
attach() {
	from=$(($(served_for))) lost=
	"$zprof" attach --for 500ms $pid 2>said &
	attaching=$!
	while kill -0 $attaching 2>/dev/null && [ ! "$lost" ]; do
		sleep 0.1
		seen=$(looks)
		[ "${seen:-0}" -gt 2000 ] && [ $(($(served_for) - from)) -gt 500 ] && lost=1
	done
	if [ "$lost" ]; then
		timeout 300 gdb -q -batch -p $pid -ex 'print zprof_request' -ex 'print *process_now' -ex 'print *process_now->pause' \
			-ex 'print *process_now->sites' -ex 'print process_now->beginning' -ex 'print/x fentry_enter_now' \
			-ex 'x/8xb serve_request' -ex 'x/8xb parse' -ex 'x/8xb work' -ex 'x/8xb reply' \
			-ex 'thread apply all print track_self' -ex 'thread apply all print *track_self.alive' \
			-ex 'thread apply all backtrace 12' 2>&1 | sed 's/^/# /'
		kill -INT $attaching
	fi
	wait $attaching
}

for flags in "$fentry" "$hooks"; do
	name=${flags%% *}
	# shellcheck disable=SC2086
	gcc -w -g -O2 $flags -I"$root" -c "$root/tests/programs/server.c" -o server.o &&
		gcc server.o -o server -L"$ZPROF_BUILD" -Wl,--no-as-needed -lzprof -lpthread && "$zprof" sleep server 2>errors || exit 1
	rm -f socket zprof.out*
	./server serve socket >served 2>complaints &
	pid=$!
	while [ ! -S socket ]; do sleep 0.02; done
	./server ask socket 100000 >asked 2>&1 &
	asking=$!
	times=0 failures=0
	while [ $times -lt "${SERVER_TIMES:-4}" ]; do
		attach || { failures=$((failures + 1)); sed 's/^/# /' said; }
		times=$((times + 1))
		sleep 0.1
	done
	kill $asking
	wait $asking
	is "$name: no request of the load is lost" "0 0 lost" "$? $(sed -n 2p asked)"
	kill $pid
	wait $pid
	is "$name: the server has answered them all, and prints nothing" "0 $(sed -n '1s/ made//p' asked) served" "$? $(cat served complaints)"
	[ $failures = 0 ]
	tap $? "$name: it was attached to again and again"
	requests=$(calls_of serve_request) slack=$((2 * times * connections))
	[ "${requests:-0}" -gt 0 ] && near "$(calls_of parse)" "$requests" $slack && near "$(calls_of reply)" "$requests" $slack &&
		near "$(calls_of work)" $((10 * requests)) $((10 * slack)) && [ "$requests" -lt "$(sed -n '1s/ made//p' asked)" ]
	tap $? "$name: only whole requests are counted, except those open at a switch"
	echo "# $times times: $requests of $(sed -n 1p asked) requests recorded"
done
finish
