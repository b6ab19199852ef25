#!/bin/sh
# SPDX-License-Identifier: MIT
# Each command that writes is killed after each of its system calls that may change anything (tests/tools/files_killed.c): every file is
# the old one whole or the new one whole.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof calls=$ZPROF_BUILD/tests/calls forks=$ZPROF_BUILD/tests/programs/gcc-O2/forks killed=$ZPROF_BUILD/tests/files_killed
mkdir old work
cd old || exit 1
"$zprof" record --quiet -o a.zp "$calls" 10
"$zprof" record --quiet --no-archive -o b.zp "$forks" >/dev/null
"$zprof" record --quiet --no-archive -o zprof.out.%p "$forks" >/dev/null
"$zprof" merge -o merged.zp b.zp
"$zprof" archive -o copy.zp b.zp
"$zprof" html a.zp
"$zprof" diff --html a.zp b.zp
"$zprof" export --format=callgrind -o callgrind.out a.zp
cp "$calls" awake && cp awake asleep && "$zprof" sleep asleep
mkfifo ../in ../out
{ ZPROF_OPTIONS=output=../live.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so exec "$calls" <../in >../out; } & pid=$!
exec 3>../in 4<../out
echo 7 >&3; read -r line <&4
"$zprof" snapshot -o snapshot.zp "$pid"
echo 3 >&3; read -r line <&4
cd ..
{ [ -s old/a.zp ] && [ -s old/snapshot.zp ] && [ -s old/asleep ] && ! cmp -s old/asleep old/awake; }
tap $? "the files to begin with are there"
kills() { # NAME RULE... -- COMMAND...
	name=$1; shift
	"$killed" work old "$@" >text 2>&1
	tap $? "$name: $(tail -1 text)"
	sed '$d; s/^/# /' text
}
kills "archive, in place" new=b.zp -- "$zprof" archive b.zp
kills "archive -o" new=copy.zp -- "$zprof" archive -o copy.zp a.zp
kills "merge" new=merged.zp -- "$zprof" merge -o merged.zp a.zp
kills "merge, to a new file" new=other.zp -- "$zprof" merge -o other.zp a.zp
kills "html" new=zprof.html -- "$zprof" html b.zp
kills "diff --html" new=zprof-diff.html -- "$zprof" diff --html b.zp a.zp
kills "export" new=callgrind.out -- "$zprof" export --format=callgrind -o callgrind.out b.zp
kills "snapshot" new=snapshot.zp -- "$zprof" snapshot -o snapshot.zp "$pid"
kills "sleep" new=awake -- "$zprof" sleep awake
kills "wake" new=asleep -- "$zprof" wake asleep
set --
for file in old/zprof.out.*; do set -- "$@" "gone=${file#old/}"; done
kills "rm" "$@" -- "$zprof" rm "$(basename "$(ls old/zprof.out.* | head -1)")"
kills "record" run=a.zp "whole=[ \"\$('$zprof' report --json \$FILE | grep -c '\"name\":\"work\".*\"calls\":20,')\" = 1 ]" -- \
	"$zprof" record --no-archive -o a.zp "$calls" 20
exec 3>&-
wait "$pid" || tap 1 "the program that is recorded meanwhile ends with status 0"
finish
