#!/bin/sh
# SPDX-License-Identifier: MIT
# server.sh - latencies of a server during and after `zprof attach`, beside those of the same server without hooks.
#
#   server.sh BUILD_DIR [ROUNDS [SECONDS]]
#
# In each round the same load goes, one after the other, to: the server without hooks, twice; the one with hooks (-mfentry) that
# sleep in its file; the same after it was recorded for a second; and while it is recorded. Each is a new process. The two plain
# runs show how much equal runs differ. Then the time of `zprof attach` and `zprof detach`, from request to answer.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
build=$(cd "${1:?usage: server.sh BUILD_DIR [ROUNDS [SECONDS]]}" && pwd) || exit 2
rounds=${2:-10} seconds=${3:-3}
zprof=$build/zprof
unset ZPROF_RUN ZPROF_OPTIONS
scratch=$(mktemp -d "$build/bench/server-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
source=$root/tests/programs/server.c
gcc -w -g -O2 -I"$root" "$source" -o plain -lpthread || exit 1
# shellcheck disable=SC2046
gcc -w -O2 -I"$root" $("$zprof" cflags --release) "$source" -o hooked -lpthread || exit 1
"$zprof" sleep hooked 2>slept || exit 1

now_us() { date +%s%6N; }
spoken() { # FILE COMMAND...: how many microseconds it takes
	file=$1 from=$(now_us)
	shift
	"$@" 2>/dev/null || exit 1
	echo $(($(now_us) - from)) >>"$file"
}
serve() { # VARIANT PROGRAM
	rm -f socket
	"./$2" serve socket >served &
	pid=$!
	while [ ! -S socket ]; do sleep 0.02; done
	if [ "$1" = detached ] || [ "$1" = attached ]; then
		./hooked ask socket 60 >/dev/null 2>&1 & # a request is answered when a function is called
		asking=$!
		spoken attach "$zprof" attach $pid
		sleep 1
		[ "$1" = attached ] || spoken detach "$zprof" detach $pid
		kill $asking
		wait $asking 2>/dev/null
	fi
	./plain ask socket "$seconds" >asked || echo "requests were lost ($1)"
	sed -n 's/^p50 \([0-9]*\) us/\1/p' asked >>"p50.$1"
	sed -n 's/^p99.9 \([0-9]*\) us/\1/p' asked >>"p999.$1"
	kill $pid
	wait $pid
	rm -f zprof.out*
}
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }

i=0
while [ $i -lt "$rounds" ]; do
	serve plain plain
	serve again plain
	serve asleep hooked
	serve detached hooked
	serve attached hooked
	i=$((i + 1))
done
printf '%-34s %14s %14s %20s\n' "us, $rounds runs of $seconds s" 'median p50' 'median p99.9' 'p99.9 from ... to'
for row in 'plain|without hooks' 'again|the same once more' 'asleep|hooks that sleep' 'detached|after zprof detach' 'attached|while it is recorded'; do
	v=${row%%|*}
	printf '%-34s %14s %14s %20s\n' "${row#*|}" "$(median "p50.$v")" "$(median "p999.$v")" "$(sort -n "p999.$v" | sed -n '1p;$p' | tr '\n' ' ')"
done
sites=$(sed -n 's/.*: \([0-9]*\) calls of hooks.*/\1/p' slept)
printf 'a switch, from the command to the answer, of %s calls of hooks: on %s us, off %s us (median)\n' "$sites" "$(median attach)" "$(median detach)"
