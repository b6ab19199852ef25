#!/bin/sh
# SPDX-License-Identifier: MIT
# record-sampled.sh - `zprof record --sampled`: a program without hooks, whose stacks are known (sampled.c), is sampled from outside, with
# its thread and its child; linked dynamically and statically; by its number while it runs; and what is refused. No time is compared: each
# function uses 60 ms of processor time by its thread's clock, and one sample of it is enough.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"

# callers WHOSE PROFILE... - the callers of a function, by name
callers() {
	whose=$1
	shift
	"$zprof" graph --width 200 --func "$whose" "$@" | sed -n "/^index/,/^\[/{/sampled  *[a-z_]/s/.*sampled  *//p}" |
		sed 's/ .*//' | grep -vx "$whose" | sort | tr '\n' ' '
}

for how in '' -static; do
	${CC:-gcc} -g -O2 -fno-optimize-sibling-calls $how -pthread -o program "$root/tests/second_run/sampled.c" || exit 1
	rm -f out.zp*
	"$zprof" record --sampled -o out.zp ./program 2>said
	is "the program's exit status is handed on ($how)" 3 $?
	is "two processes have profiles ($how)" 2 "$(ls out.zp* | wc -l)"
	is "callers of a function in a thread and a process are known ($how)" "by_child by_one by_other by_thread deep " \
		"$(callers use out.zp out.zp.2)"
	"$zprof" report --all --width 200 out.zp >report
	holds "the head says that no call was counted ($how)" grep -q 'calls were not counted' report
	holds "a stack that is larger than a sample is said to be cut ($how)" grep -q 'sampled  \[stack cut\]' report
	holds "such samples are counted ($how)" grep -q 'samples whose stack could not be followed' report
done
holds "one sentence says what hooks would add" grep -q "zprof cflags.*zprof record --any" said

"$zprof" export --format=callgrind -o out.callgrind out.zp
holds "an export has the functions" grep -q by_other out.callgrind
"$zprof" annotate --func turn out.zp >annotated
holds "the source has times of its lines" grep -q 'sink++' annotated

mkfifo begun
./program on >begun &
pid=$!
read -r word <begun
"$zprof" record --sampled -p $pid -o running.zp 2>said &
recorder=$!
# the program is killed once the recorder samples it, and has used processor time since
until grep -q sampling said; do sleep 0.05; done
ticks() { cut -d' ' -f14 /proc/$pid/stat; }
until=$(($(ticks) + 20))
while [ "$(ticks)" -lt $until ]; do sleep 0.05; done
kill -KILL $pid
wait $recorder
is "a process that is killed has its profile" 0 $?
is "a running process is sampled with its stacks" "by_one " "$(callers use running.zp)"
wait $pid

"$zprof" record --sampled -p $pid 2>said
holds "a process that is not there is named" grep -q "there is no process $pid" said
"$zprof" record --sampled ./nothing 2>said
is "a program that is not there has the status of a shell" 127 $?
"$zprof" record --sampled --only x ./program 2>said
holds "options of the library are refused" grep -q "'*--only.* does not go with --sampled" said
# (One sample is due for each second of processor time. At the usual rate it is a millisecond, and on a busy machine `true` may take that.)
"$zprof" record --sampled --sample=1 -o short.zp true 2>said
is "a program that ends at once has its status" 0 $?
holds "and no sample, which is said" grep -q 'no sample was taken' said
"$zprof" record true 2>said
holds "a program without hooks is told of both ways" grep -q -e '--any.*--sampled' said
finish
