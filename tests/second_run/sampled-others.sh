#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled-others.sh - `zprof record --sampled` of programs with musl, which use processor time in a function whose callers are known; no
# time is compared. And how a recording of a running process ends, and what is said where the system refuses samples.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"

# leads FUNCTION CALLER PROFILE - whether CALLER is above FUNCTION in a context
leads() { "$zprof" export --format=folded "$3" 2>/dev/null | grep -q "$2.*;[^;]*$1"; }

if command -v musl-gcc >/dev/null 2>&1; then
	for how in '' -static; do
		musl-gcc -g -O2 -fno-optimize-sibling-calls $how -pthread -o musl "$root/tests/second_run/sampled.c" || exit 1
		"$zprof" record ./musl 2>said
		is "a program with musl is told of --sampled ($how)" 1 "$(grep -c "zprof record --sampled" said)"
		"$zprof" record --quiet --sampled -o musl.zp ./musl 2>said
		holds "its functions have their callers ($how)" leads turn 'main;by_other' musl.zp
		holds "and so do those of its thread ($how)" leads turn 'by_thread;use' musl.zp
		rm -f musl.zp*
	done
else
	skip "programs with musl" "there is no musl-gcc (musl-tools)"
fi

# A running process: the end by Ctrl-C.
${CC:-gcc} -g -O2 -fno-optimize-sibling-calls -pthread -o program "$root/tests/second_run/sampled.c" || exit 1
ticks() { cut -d' ' -f14 /proc/$pid/stat; }
burn() { burn_until=$(($(ticks) + 20)); while [ "$(ticks)" -lt $burn_until ]; do sleep 0.05; done; }
mkfifo begun
./program on >begun &
pid=$!
read -r word <begun
"$zprof" record --sampled -p $pid -o running.zp 2>said &
recorder=$!
until grep -q sampling said; do sleep 0.05; done
burn
kill -INT $recorder
wait $recorder
is "Ctrl-C ends a recording, which is whole" 0 $?
holds "the process lives on" kill -0 $pid
holds "its stacks are known" leads turn 'main;by_one' running.zp

# A process that ends, and whose parent does not ask for its status.
"$zprof" record --sampled -p $pid -o zombie.zp 2>said &
recorder=$!
until grep -q sampling said; do sleep 0.05; done
burn
kill -KILL $pid
wait $recorder
is "a process that ends, and stays a zombie, ends its recording" 0 $?
holds "which is whole" leads turn 'main;by_one' zombie.zp
wait $pid

# Refusals.
${CC:-gcc} -w "$root/tests/programs/refuse.c" -o refuse || exit 1
./refuse 1 perf_event_open "$zprof" record --sampled ./program 2>said
is "refused samples are a failure" 125 $?
is "of one line" 1 "$(wc -l <said)"
case $(uname -m) in
x86_64) remedy="allow that system call, or use 'zprof record --any', which counts calls without it" ;;
*) remedy="allow that system call" ;;
esac
holds "with the remedy" grep -q "perf_event_open is refused .*: $remedy\$" said
"$zprof" record --sampled -p 4194303 2>said
holds "a number that no process has is named" grep -q 'there is no process 4194303' said
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1; then
	chmod 755 .
	setpriv --reuid=65534 --clear-groups "$zprof" record --sampled -p 1 -o none.zp 2>said
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt -1 ]; then
		holds "another user's process is refused, with the remedy" grep -q "another user's: that user can sample it, or root" said
	fi
fi
finish
