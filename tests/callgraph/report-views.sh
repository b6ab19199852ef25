#!/bin/sh
# SPDX-License-Identifier: MIT
# Every view and every filter of the command, on one small profile that has everything: a golden each.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
export TZ=UTC0
cp "$golden_folder/report/sample.groups" zprof.groups
"$ZPROF_BUILD/tests/make_profile" sample.prof <"$golden_folder/report/sample.spec" || exit 1

# name of the golden | arguments behind the command and before the file
cases='graph|graph
graph-by-thread|graph --by-thread
graph-func|graph --func parse -F /^term$/
graph-limit|graph --limit 2
graph-min|graph --min 30
graph-sort|graph --sort calls --limit 3
graph-spread|graph --recursion=spread --func fold* --func expr
graph-width|graph --width 76 --limit 2
graph-color|graph --color=always --limit 1
graph-not|graph --not scan_word --func main --func libio*
graph-not-group|graph -N group:parser --limit 3
graph-only|graph --only main --only fold
graph-only-group|graph --only group:scanner
graph-only-module|graph --only module:libio*
graph-under|graph --under expr
graph-under-not|graph --under parse --not expr --limit 3
report|report
report-group|report --group scanner
report-module|report --module libio.so*
report-file|report --file parse.c
report-depth|report --depth 2
report-min|report --min 20
report-limit|report --limit 3
report-sort-total|report --sort total
report-sort-calls|report --sort calls
report-sort-name|report --sort name
report-sort-error|report --sort error --limit 3
report-thread|report --thread worker
report-thread-number|report --thread 101 --limit 2
report-tree|report --tree
report-tree-min|report --tree --min 20
report-tree-depth|report --tree --depth 2
report-tree-func|report --tree --func DUP
report-tree-limit|report --tree --limit 4
report-tree-sort|report --tree --sort calls --depth 2
brief|brief
brief-tokens|brief --tokens 120
groups|groups
groups-metric|groups --metric compile
groups-inner|groups --metric inner
groups-matrix|groups --matrix
groups-min|groups --min 20
groups-sort|groups --sort self --limit 3
groups-under|groups --under parse
graph-json|graph --json
report-json|report --json --func scan_* --limit 1
report-tree-json|report --tree --json --under term
report-callers|report --callers
report-callers-total|report --callers --sort total --func term --func fold
report-callers-depth|report --callers --depth 2 --min 10
report-callers-limit|report --callers --limit 5
report-callers-json|report --callers --json --func fold
groups-json|groups --json --matrix --metric compile
graph-by-thread-json|graph --by-thread --json --limit 1
info|info
info-json|info --json'

while IFS='|' read -r name arguments; do
	set -f
	# shellcheck disable=SC2086
	golden "report/$name" "$zprof" $arguments sample.prof
	set +f
done <<END
$cases
END

# Times of a real clock: units, the hooks taken off, what is lost in the noise; and the same raw.
sed 's/clock fake/clock tsc 2000000000\nhooks 800 400 200/' "$golden_folder/report/sample.spec" |
	"$ZPROF_BUILD/tests/make_profile" tsc.prof
golden report/tsc "$zprof" report tsc.prof
golden report/tsc-raw "$zprof" report --raw tsc.prof
golden report/tsc-graph "$zprof" graph --func parse tsc.prof
# Hooks that are estimated to cost more than all there was leave less than no time; what was called is in the tree all the same.
sed 's/clock fake/clock tsc 2000000000\nhooks 8000 4000 200/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" dear.prof
contexts() { "$zprof" report --tree --json --all "$@" dear.prof | grep -o '^{"id":.*"calls":[1-9][0-9]*' | grep -o '"id":[0-9]*' | sort; }
contexts >dear.net
contexts --raw >dear.raw
[ "$(wc -l <dear.raw)" -gt 10 ] && cmp dear.raw dear.net
tap $? "the tree has every context that was called, however little time its hooks leave it"
sed 's/clock fake/clock fake\nmode count/' "$golden_folder/report/sample.spec" | sed -E 's/^( +[^ ]+ [0-9]+) [0-9]+/\1 0/; s/outside.*/outside 0/' |
	"$ZPROF_BUILD/tests/make_profile" count.prof
golden report/count "$zprof" graph --limit 3 count.prof
golden report/count-report "$zprof" report count.prof
# Waits: a column beside each time, in every view; others' time on the processor is only in raw times.
waits() { # SPECIFICATION: the same program, whose functions waited
	awk '{ print } /scan_word 20/ { print "away 300 7 40 2" } /parse 2/ { print "away 20 1 0 0" } /fold 2 10/ { print "away 6 1 1 1" }' "$1"
}
{ waits "$golden_folder/report/sample.spec"; echo 'sampler 1'; } | sed 's/clock fake/clock tsc 1000000000/' | "$ZPROF_BUILD/tests/make_profile" waits.prof
golden report/waits "$zprof" report --waits waits.prof

# A thread that did nothing in a function but stand by has that function, too.
{ sed -n '/^zone/,$d; p' "$golden_folder/report/sample.spec" | sed 's/clock fake/clock tsc 1000000000/'; cat; } <<'END' | "$ZPROF_BUILD/tests/make_profile" standby.prof
sampler 1
zone scan group=words file=x.fs line=12 kind=4
thread 17 main 1
  scan 3 20
thread 18 other 1
  scan 0 0
away 0 0 5000 2
END
"$zprof" report --time wall --by-thread standby.prof | sed '1,/^thread .other/d' | grep -q ' 5.00 us *0  scan  '
tap $? "a thread that stood by in a function has a row for it"
"$zprof" html -o standby.html standby.prof 2>errors && grep -q '"name":"other","tid":18,.*"functions":\[\[1,' standby.html
tap $? "and the page has it among the thread's functions"

golden report/waits-sort "$zprof" report --waits --sort waited --limit 3 waits.prof
golden report/waits-raw "$zprof" report --waits --raw --limit 3 waits.prof
golden report/waits-tree "$zprof" report --tree --waits --sort waited waits.prof
golden report/waits-graph "$zprof" graph --waits --func parse waits.prof
golden report/waits-under "$zprof" graph --waits --under parse --limit 1 waits.prof
golden report/waits-not "$zprof" report --waits --not scan_word --limit 3 waits.prof
golden report/waits-groups "$zprof" groups --waits waits.prof
golden report/waits-head "$zprof" report --limit 1 waits.prof
golden report/waits-json "$zprof" graph --json --func parse waits.prof
expect 1 "'sample.prof' does not tell when threads waited" "$zprof" report --waits sample.prof
# Each time alone: rows, percentages and what is left out go by what is shown.
for time in cpu wait wall own; do
	golden report/time-$time "$zprof" report --time $time waits.prof
done
golden report/time-graph "$zprof" graph --func parse waits.prof
golden report/time-tree "$zprof" report --tree --time wait waits.prof
golden report/time-groups "$zprof" groups --time wall waits.prof
golden report/time-brief "$zprof" brief --limit 2 waits.prof
golden report/time-folded "$zprof" export --format folded --time wait waits.prof
golden report/time-csv "$zprof" export --format csv --time cpu --func parse waits.prof
golden report/time-sort "$zprof" report --sort waited --limit 1 waits.prof
expect 1 "'sample.prof' does not tell this time (--time cpu)" "$zprof" report --time cpu sample.prof
expect 1 "'sample.prof' does not tell this time (--time wait)" "$zprof" diff --time wait waits.prof sample.prof
expect 2 "--time is cpu, wait, wall or own, not 'both'" "$zprof" report --time both waits.prof
"$zprof" report --json --time wait waits.prof | sed -n '/"functions"/,/"arcs"/p' >wait.json
"$zprof" report --json --time own --sort waited waits.prof | sed -n '/"functions"/,/"arcs"/p' | grep -oE '"self_ns":[^,]*' | sort >own.ns
grep -oE '"self_ns":[^,]*' wait.json | sort | cmp -s - own.ns
tap $? "self_ns is of the same time whatever --time says"
# A pool that is idle is in no row of a long list, and 40 functions that work are.
{
	printf 'clock tsc 1000000000\nsampler 1\nthread 1 t\n  main 1 10\n    pool 4 1000000\naway 1000000 4 0 0\n'
	seq -f '    work%g 1 1000' 60
} | "$ZPROF_BUILD/tests/make_profile" pool.prof
[ "$("$zprof" report pool.prof | grep -c 'work')" = 40 ] && ! "$zprof" report pool.prof | grep '%' | grep -qw pool
tap $? "an idle pool is in no row of a long list"
"$zprof" report pool.prof | grep -q '^Waiting: 1.00 ms, in pool 1.00 ms'
tap $? "but the head has it"
[ "$("$zprof" report --time own pool.prof | awk '/^%/ { at = NR } at && NR == at + 1 { print $NF }')" = pool ]
tap $? "and --time own shows it first"
expect 1 "'sample.prof' does not tell when threads waited" "$zprof" report --waits waits.prof sample.prof
# What was waited for: functions below the one that waited, and waits that were not noted.
{
	waits "$golden_folder/report/sample.spec" |
		awk '{ print } /away 300/ { print "for 202 7f0010 1 200 4"; print "for 0 0 0 60 2" } /away 20/ { print "for 999 0 0 20 1" } /away 6/ { print "for -3 0 0 6 1" }'
	printf 'sampler 1\nflags finished offcpu\n'
} | sed 's/clock fake/clock tsc 1000000000/' | "$ZPROF_BUILD/tests/make_profile" offcpu.prof
golden report/offcpu "$zprof" report --waits offcpu.prof
golden report/offcpu-graph "$zprof" graph --func scan_word offcpu.prof
golden report/offcpu-not "$zprof" report --waits --not group:waits offcpu.prof
golden report/offcpu-groups "$zprof" groups offcpu.prof
golden report/offcpu-cpu "$zprof" report --time cpu offcpu.prof
golden report/offcpu-wait "$zprof" report --time wait offcpu.prof
golden report/offcpu-folded "$zprof" export --format folded offcpu.prof
# Each time has its own error bar in JSON. A hook's cost makes time on a processor uncertain. A third of the waits has no record, so which
# row they belong to is uncertain; their sum is not.
{
	printf 'clock tsc 1000000000\nhooks 2000 1500 500\nsampler 1\nflags finished offcpu\nthread 1 t\n  main 1 1000\n    poll 40 5000\n'
	printf 'away 3000 300 0 0\nfor 0 0 0 1000 100\nfor 1 0 0 1000 100\n'
} | "$ZPROF_BUILD/tests/make_profile" bars.prof
bars() { "$zprof" report --json bars.prof | grep "\"name\":\"$1\"" | tr ',}' '\n\n' | sed -n 's/"\(.*error_ns\)":/\1 /p' | tr '\n' ' '; }
is "bars of a function" "$(echo error_ns 20.0 total_error_ns 20.0 \
	self_on_cpu_error_ns 20.0 self_waited_error_ns 0.0 self_wall_error_ns 20.0 \
	total_on_cpu_error_ns 20.0 total_waited_error_ns 0.0 total_wall_error_ns 20.0) " "$(bars poll)"
is "bars of a wait" "$(echo error_ns 300.0 total_error_ns 0.0 \
	self_on_cpu_error_ns 0.0 self_waited_error_ns 300.0 self_wall_error_ns 300.0 \
	total_on_cpu_error_ns 0.0 total_waited_error_ns 0.0 total_wall_error_ns 0.0) " "$(bars '\[wait\] read')"
is "bars of the whole" "whole_on_cpu_error_ns 20.175 whole_waited_error_ns 0.0 whole_wall_error_ns 20.175 " \
	"$("$zprof" report --json bars.prof | grep '^"times"' | tr ',}' '\n\n' | sed -n 's/"\(.*error_ns\)":/\1 /p' | tr '\n' ' ')"
# Time that may be other functions' is in many bars, but no time is above the whole: 10 ms, of which 9 ms may be those of main or f.
{
	printf 'clock tsc 1000000000\nmode count\nflags finished fentry entries\nsampler 1\nthread 1 t\n'
	printf '  main 1 0\n    f 1 0\nseen 6 0 0 1000000\nunsure 5 5000000\n      g 1 0\nseen 4 0 0 1000000\nunsure 4 4000000\n'
} | "$ZPROF_BUILD/tests/make_profile" unsure.prof
golden report/unsure "$zprof" report --time own unsure.prof
"$zprof" report --json unsure.prof | tr '{' '\n' | awk -F'[:,]' '
	{ for (i = 1; i < NF; i++) value[$i] = $(i + 1) }
	/"name":"[fg]"/ { n++; if (value["\"total_ns\""] > 10e6 || value["\"total_error_ns\""] > 10.1e6 || value["\"error_ns\""] > 10.1e6) bad = 1 }
	END { exit bad || n != 2 }'
tap $? "the bars of functions in JSON are no longer than the whole"
# A function that is called most, and whose hooks seem to take more than it took, is not last.
{
	printf 'clock tsc 1000000000\nhooks 6000 0 2000\nzone busy group=g\nthread 1 t\n  main 1 10000\n    busy 1000000 5000000\n'
	seq -f '    small%g 1 1000' 540
} | "$ZPROF_BUILD/tests/make_profile" noise.prof
while read -r arguments; do
	# shellcheck disable=SC2086
	"$zprof" $arguments noise.prof | awk '/^index|^% (self|time)/ { at = NR } at && NR > at && NR < at + 5' | grep -qwE 'busy|g'
	tap $? "a large row that is lost in the noise is not far below: $arguments"
done <<END
report
report --limit 2 --min 50
report --tree --limit 2
groups --sort self
graph --func main
graph --func busy --min 50
END
# Two processes are one program: zones are the same if their names or places are, whatever their numbers.
sed 's/^pid .*/pid 200 100/; s/^zone main.*/zone other kind=2\n&/' "$golden_folder/report/sample.spec" |
	"$ZPROF_BUILD/tests/make_profile" second.prof
golden report/merged "$zprof" report sample.prof second.prof
# What an interpreter counted is a column of every view.
"$ZPROF_BUILD/tests/make_profile" lent.prof <"$golden_folder/report/lent.spec"
golden report/lent-tree "$zprof" report --tree lent.prof
golden report/lent-tree-sort "$zprof" report --tree --sort cells lent.prof
golden report/lent-callers "$zprof" report --callers lent.prof
golden report/lent-tree-json "$zprof" report --tree --json lent.prof
golden report/lent-groups "$zprof" groups --matrix lent.prof
golden report/lent-groups-sort "$zprof" groups --sort cells lent.prof
golden report/lent-groups-json "$zprof" groups --matrix --json lent.prof
golden report/lent-info "$zprof" info lent.prof
golden report/lent-graph "$zprof" graph lent.prof
golden report/lent-graph-sites "$zprof" graph --sites --not main lent.prof
golden report/lent-graph-sites-spread "$zprof" graph --sites --recursion=spread --func 'fib*' lent.prof
golden report/lent-graph-json "$zprof" graph --json --func fact lent.prof

# Characters of two columns, of one in two bytes, and of none.
printf 'thread 1 t 1\n  日本語の関数 1 10\n    plain 2 20\n    naïve 3 30\n    e\314\201te 1 5\n' | "$ZPROF_BUILD/tests/make_profile" wide.prof
golden report/wide "$zprof" report wide.prof
golden report/wide-cut "$zprof" graph --width 44 --limit 1 wide.prof

# Times that are known, times below their error, and functions without a sample: the number that is shown gives the order, and ten
# bounds at most are added to a list that is cut.
awk -f "$golden_folder/report/bounds.awk" | "$ZPROF_BUILD/tests/make_profile" bounds.prof
golden report/bounds "$zprof" report bounds.prof
golden report/bounds-all "$zprof" report --all --min 0.2 bounds.prof
golden report/bounds-tree "$zprof" report --tree --under caller bounds.prof
golden report/bounds-graph "$zprof" graph --func caller bounds.prof
golden report/bounds-brief "$zprof" brief --limit 32 bounds.prof

# Recursion that was folded, contexts that were spent.
"$ZPROF_BUILD/tests/make_profile" limits.prof <"$golden_folder/report/limits.spec"
golden report/limits "$zprof" report limits.prof
golden report/limits-raw "$zprof" report --raw --func often limits.prof
golden report/limits-tree "$zprof" report --tree limits.prof
golden report/limits-graph "$zprof" graph limits.prof
golden report/limits-by-thread "$zprof" graph --by-thread limits.prof
golden report/limits-under "$zprof" graph --under spill limits.prof
golden report/limits-spread "$zprof" graph --recursion=spread --func fold* limits.prof
golden report/limits-info "$zprof" info limits.prof
sed 's/^clock .*/clock monotonic 1000000000/' "$golden_folder/report/limits.spec" | "$ZPROF_BUILD/tests/make_profile" monotonic.prof
is "info gives no rate of CLOCK_MONOTONIC" "  clock         CLOCK_MONOTONIC, exact" "$("$zprof" info monotonic.prof | grep clock)"
golden report/limits-json "$zprof" graph --json limits.prof

# Many contexts: of 280 functions, which call others, and (AGAIN) themselves, or one that calls others.
many() { # AGAIN OPTIONS: the profile of such a program
	awk -v again="$1" -v options="$2" 'BEGIN {
		print "clock fake\noptions " options "\nthread 1 t 1"
		for (i = 0; i < 280; i++) {
			print "  x" i " 1 1"
			for (j = 0; j < 60; j++) print "    y" j " 1 1"
			print "    " (again ? "x" i : "z") " 1 1"
			for (j = 0; j < 180; j++) print "      y" j " 1 1"
		}
	}' | "$ZPROF_BUILD/tests/make_profile" many.prof
}
many 1 output=x
expect 0 "note: 67,761 contexts are more than a processor's caches hold, so each call took longer to count; 75 % of them are recursion: with recursion=1 they are fewer, and calls and times are as exact" "$zprof" report many.prof
expect 0 '"notes":["67,761 contexts are more' "$zprof" graph --json many.prof
many 1 recursion=1
expect 0 "longer to count; recording fewer functions (only=, zprof tune) makes them fewer" "$zprof" report many.prof
many 0 output=x
expect 0 "longer to count; recording fewer functions (only=, zprof tune) makes them fewer" "$zprof" graph --limit 1 many.prof
"$zprof" report limits.prof | grep -q 'longer to count'
[ $? = 1 ]
tap $? "with few contexts, there is no such note"

# The sums of the call graph, as integers, in every tree a filter makes.
grep -v '^counter' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" sums.prof
while read -r arguments; do
	set -f
	# shellcheck disable=SC2086
	"$zprof" graph --json $arguments sums.prof 2>errors | "$ZPROF_BUILD/tests/check_laws" >breaches
	tap $? "sums hold under: $arguments"
	set +f
	sed 's/^/# /' breaches
done <<END
--raw
--not scan_word
--only group:parser
--under term
--thread main
--recursion=spread
--under parse --not expr --recursion=spread
END
finish
