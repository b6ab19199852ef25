#!/bin/sh
# SPDX-License-Identifier: MIT
# The profiler that the Forth itself carries, on a whole program (tests/forth/tiny.fth): metrics that survive a saved
# system, counts that agree between metrics and with the stamps, and its cost.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
vm=$ZPROF_BUILD/vm-6502
. "${0%/*}/../lib/tap.sh"
cat >metrics.fth <<'F'
profiling on
\ At a place of its own, so that cycles do not depend on how large the Forth is.
$9040 here - allot
include tiny.fth
profiler-metric:[ all  [scanner] [symbols] [emitter] [machine] [parser] ]profiler-metric
profiler-metric:[ outer  [scanner] [parser] ]profiler-metric
profiler-metric:[ inner  [emitter] ]profiler-metric
: profiled  profiler-start 3 many profiler-timestamp 2 many profiler-end profiler-report ;
F
run() { "$vm" -I "$here/tests/forth" "$@" 2>&1; }

run metrics.fth -e 'all profiled  outer profiled  inner profiled  bucket-size-report' >direct
run metrics.fth -e 'save-system metrics.img'
run --image=metrics.img -e 'all profiled  outer profiled' >saved
run --image=metrics.img -e 'inner profiled bucket-size-report' >>saved
# Ticks are compared too, since the runs are the same to the cycle.
cmp direct saved >&2
tap $? 'metrics of a saved system report the same as before saving'

# Name, then NEXT count of a bucket; rows without name are left out.
counts() { awk -v metric="$1" '/^profiler report/ { on = $3 == metric } on && /^[0-8] / && NF == 6 { print $6, $4 }' direct; }
for metric in all outer inner; do
	awk -v metric=$metric '
		/^profiler report/ { on = $3 == metric }
		on && after { stamp = $2; gsub(/\./, "", stamp); after = 0 }
		on && /^countstamps/ { after = 1 }
		on && /^[0-8] / { sum += $4 }
		END { exit !(sum > 1000 && sum == stamp) }' direct
	tap $? "$metric: the counts of all rows are the last count stamp"
done
counts all | sort >all.counts
[ "$(wc -l <all.counts)" = 6 ]
tap $? 'each bucket has its row'
{ counts outer; counts inner; } | grep -v etc | sort | comm -23 - all.counts >differ
[ ! -s differ ]
tap $? "a bucket's count is the same in all metrics"

sed -n '/^addr/,$p' direct | awk '
	NR == 1 { good = $0 == "addr[  ]addr   size  name" }
	NR > 1 { if ($3 < 100 || $1 !~ /^[0-9A-F]+$/ || substr($0, 17) !~ /^  \[[a-z]+\]$/) good = 0 }
	END { exit !(good && NR == 6) }'
tap $? 'the report of sizes'

[ "$(run -I "$here/tests/forth" tiny.fth -e 'tiny answer .')" = '15 ' ]
tap $? 'a build that is not for profiling runs without buckets'

cycles() { run --registers "$@" | sed -n 's/.* cycle //p'; }
bare=$(cycles metrics.fth) loaded=$(cycles metrics.fth -e '20 many')
idle=$(cycles metrics.fth -e 'all profiler-start profiler-end') hooked=$(cycles metrics.fth -e 'all profiler-start 20 many profiler-end')
echo "# $((loaded - bare)) cycles become $((hooked - idle)): times $(awk "BEGIN { printf \"%.2f\", ($hooked - $idle) / ($loaded - $bare) }")"
[ $((hooked - idle)) -lt $((4 * (loaded - bare))) ] && [ $((hooked - idle)) -gt $((2 * (loaded - bare))) ]
tap $? 'it takes less than 4 times the cycles, compiling'
finish
