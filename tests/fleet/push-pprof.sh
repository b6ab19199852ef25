#!/bin/sh
# SPDX-License-Identifier: MIT
# What a receiver gets is a profile for `go tool pprof`: its types of samples, its numbers, and no labels.
. "${0%/*}/../lib/golden.sh"
. "${0%/*}/../lib/receiver.sh"
zprof=$ZPROF_BUILD/zprof
export ZPROF_LIB=$ZPROF_BUILD/libzprof.so PPROF_TMPDIR=$PWD
pprof() { go tool pprof -nodecount=100000 -nodefraction=0 -edgefraction=0 "$@" "$received/1.pprof" 2>errors; }

# Sums of a column of `go tool pprof -top`, as numbers: all functions, or those whose name matches.
flat() { # SAMPLE-TYPE UNIT NAME
	pprof -top -sample_index="$1" -unit="$2" | awk -v name="$3" '$NF ~ name && $2 ~ /%/ { sum += $1 } END { printf "%.0f\n", sum }'
}
of_json() { # NAME MEMBER
	"$zprof" report --json --func "$1" zprof.out.* | /usr/bin/python3 -c 'import json, sys
print(round(sum(f[sys.argv[1]] for f in json.load(sys.stdin)["functions"])))' "$2"
}
cat >prog.c <<-'C'
	#include <unistd.h>
	__attribute__((noinline)) void leaf(void) { for (volatile int i = 0; i < 100000; i++); }
	__attribute__((noinline)) void rest(void) { usleep(20000); }
	int main(void) { for (int i = 0; i < 300; i++) leaf(); rest(); return 0; }
C
gcc -g -O1 -finstrument-functions prog.c -o prog || exit 1
receive sent 200
"$zprof" record --quiet --push "$url" ./prog 2>said
is "the profile is received" "zprof: 1 profile received" "$(cat said)"
is "nothing is wrong with the request" "" "$(wrong sent)"
stop_receiver
pprof -raw >raw
is "go tool pprof reads it without a warning" "" "$(cat errors)"
types=$(sed -n '/^Samples:/{n;p}' raw)
case $types in
'calls/count cpu/nanoseconds'*) true ;;
*) false ;;
esac
tap $? "samples have calls and cpu" || echo "# $types"
grep -qx 'PeriodType: cpu nanoseconds' raw
tap $? "the period is of processor time"
is "calls are exact" "300 1 1" "$(flat calls count '^leaf$') $(flat calls count '^rest$') $(flat calls count '^main$')"
is "samples have no labels" "" "$(pprof -tags | grep -v '^ *$')"
near() { # WHAT A B: they differ by rounding
	awk -v a="$2" -v b="$3" 'BEGIN { exit !(a - b <= 2 && b - a <= 2) }'
	tap $? "$1" || echo "# $2, $3"
}
near "cpu is processor time" "$(flat cpu ns '^leaf$')" "$(of_json leaf self_on_cpu_ns)"
case $types in
*' wait/nanoseconds'*) near "wait is what was waited" "$(flat wait ns '^rest$')" "$(of_json rest self_waited_ns)" ;;
*) skip "wait is what was waited" "the system does not tell waits" ;;
esac
grep -q "$(readelf -n prog | sed -n 's/.*Build ID: //p')" raw
tap $? "the program is known by its build-id"
finish
