#!/bin/sh
# SPDX-License-Identifier: MIT
# inside_lines.sh - the hottest lines of sqlite by `zprof annotate`, beside those that perf's addresses and addr2line name in the plain build.
#
#   tests/bench/inside_lines.sh BUILD
#
# sqlite is built from Debian's source by gcc -O2 -g, once plain and once with hooks, and does the same work (inside_lines.sql). Compared
# are the shares that the lines of its two files have of the samples in the program's own code:
#
#   1  plain, `zprof record --sampled`     with perf record of the same file
#   2  with hooks                          with perf record of the plain file
#
# for the ten lines that have most by perf, and the ten that have most by zprof. The bound is 6 standard deviations (shares.py). In 2 zprof's own
# error bar comes on top, since it has to take off what hooks cost; and each row is a line with the four before it and the four after:
# the compiler moves no loads across a hook, so instructions of one loop are on other lines than in the plain file (in
# sqlite3VdbeRecordCompareWithSkip(), 1.4 % of the time are on line 86717 of the plain file, and on 86715 and 86716 of the other). The file with
# hooks without zprof is no judge: its hooks lead to libc's, which are empty, and it still takes twice as long. The status is 1 if a row
# is further apart. TURNS=600 is how long it runs.
build=$(cd "${1:?usage: tests/bench/inside_lines.sh BUILD}" && pwd)
cd "${0%/*}/../.." || exit 2
root=$(pwd) real=$build/real name=sqlite turns=${TURNS:-600} zprof=$build/zprof
command -v perf >/dev/null 2>&1 || { echo "SKIPPED: there is no perf (linux-perf)" >&2; exit 0; }
. tests/lib/build.sh
. tests/real/programs/sqlite.sh
prepare_program || { echo "SKIPPED: sqlite's source cannot be fetched" >&2; exit 0; }
folder=$build/bench/inside cc=gcc level="-O2 -g"
mkdir -p "$folder/sqlite-plain" "$folder/sqlite-hooks"
hooks='' && build "$folder/sqlite-plain/sqlite" && hooks=$("$zprof" cflags) && build "$folder/sqlite-hooks/sqlite" || exit 1
cd "$folder" || exit 2
sed "s/TURNS/$turns/" "$root/tests/bench/inside_lines.sql" >lines.sql
perf record -q -e task-clock -c 1000003 -o lines.perf -- sqlite-plain/sqlite -batch :memory: <lines.sql >/dev/null 2>&1 ||
	{ echo "SKIPPED: perf is refused" >&2; exit 0; }
"$zprof" record --quiet --force --sampled -o lines-sampled.zp sqlite-plain/sqlite -batch :memory: <lines.sql >/dev/null &&
	"$zprof" record --quiet --force -o lines-hooks.zp sqlite-hooks/sqlite -batch :memory: <lines.sql >/dev/null || exit 1
exec python3 "$root/tests/bench/inside_lines.py" "$zprof"
