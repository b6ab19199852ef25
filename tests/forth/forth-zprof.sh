#!/bin/sh
# SPDX-License-Identifier: MIT
# Forth words and buckets in zprof's call graph: one graph from the emulator's main down to them, and the bucket table of each
# metric, in cycles and NEXTs, for a program of several modules; the same that the emulator counts itself.
#
#   GOLDEN_UPDATE=1 tests/run build forth-zprof      writes tests/golden/forth/graph.txt and groups-*.txt anew
set -u
. "${0%/*}/../lib/golden.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
calc=$here/tests/forth/calc
vm=$ZPROF_BUILD/vm-6502
zprof=$ZPROF_BUILD/zprof
record() { # PROFILE OPTION...
	profile=$1
	shift
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output="$PWD/$profile" "$vm" --zones=both "$@" -I "$calc" calc.fth
}

record calc.zprof --groups >said
"$zprof" graph --json calc.zprof >graph.json
"$zprof" graph --json --under job calc.zprof >job.json
awk -v files='^(calc|input|scanner|symbols|code|parser|metrics).fth$' -f "$here/tests/tools/forth_graph.awk" job.json |
	LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -k 2,2n -k 3,3 | cut -f 4 >graph
golden_file "the call graph of words and buckets, in cycles" forth/graph.txt graph

# ---- from main down to measure, each the caller of the next
awk -F '[:,]' '/^\{"id":/ { split($0, q, "\""); name[$2] = q[6] } /^\{"caller":[0-9]/ { print name[$2], name[$4] }' graph.json >arcs
below=main all=0
for next in run_machine run run_slices start "(main)" catch; do
	grep -qxF "$below $next" arcs || { echo "# $below does not call $next"; all=1; }
	below=$next
done
grep -q '^interpret measure$' arcs && grep -q '^measure job$' arcs && grep -q '^catch assignment$' arcs || all=1
tap $all "one graph from main of the emulator down to Forth words"
grep -q '"losses":{}' graph.json
tap $? "nothing lost, nothing misused"
grep -oE '"file":"[^"]*vm-6502/(profile/|guest/symbols)[^"]*"' graph.json | sort -u >seen
grep -oE '"name":"(contexts_[a-z_]*|add_zone|bank_[a-z_]*|lend_[a-z_]*)"' graph.json | grep -v -e contexts_new -e contexts_free >>seen
[ ! -s seen ]
tap $? "what makes the emulator's own profile is not part of the program"

# ---- the same as without zprof
"$vm" --zones=both -I "$calc" calc.fth >said.own
cmp said said.own
tap $? "the program prints the same with zprof and without"

# ---- cycles come first where all rows have them
lead() { # COLUMN-OF-CYCLES [VIEW...]: whether cycles are first, and rows are in their order
	column=$1
	shift
	"$zprof" "$@" calc.zprof | sed '1,/^$/d' | tr -d ',' | awk -v c="$column" '
		NR == 1 { good = $1 == "%" && $2 == "cycles" && $3 == "cycles"; next }
		{ good = good && (rows < 1 || $c <= last); last = $c; rows++ }
		END { exit !(good && rows > 1) }'
}
lead 2 report --group forth --limit 20 && ! lead 2 report --limit 20 && ! lead 2 report --func main &&
	"$zprof" report --group forth calc.zprof | sed '1,/^$/d' | tr -d ',' | awk 'NR > 1 { share += $1; self += $2 }
		END { exit !(share > 30 && share < 100.5 && self > 1000000) }'
tap $? "words are listed by their cycles, and host functions by time"
"$zprof" graph --group forth calc.zprof | sed '1,/^$/d' | tr -d ',' | awk '
	NR == 1 { good = $2 == "%" && $3 == "cycles" && $4 == "cycles"; next }
	/^\[/ { total = $3 + $4; good = good && (rows < 1 || total <= last); last = total; rows++ }
	END { exit !(good && rows > 20) }'
tap $? "and so are blocks of the call graph"
"$zprof" report --tree --group forth calc.zprof | grep -q '^% cycles  *cycles  *total  *self' &&
	"$zprof" groups --groups zprof.groups --metric modules calc.zprof | grep -q '^% cycles  *cycles  *self' &&
	"$zprof" report --tree calc.zprof | grep -q '^% time  *self'
tap $? "in the tree, and in groups"
# ---- for callgrind_annotate: cycles are an event, and each function's own are those of the call graph
"$zprof" export --format=callgrind calc.zprof | awk '
	/^events:/ { for (i = 2; i <= NF; i++) if ($i == "cycles") column = i }
	/^summary:/ { all = $column }
	/^fn=/ { split($1, id, /[()]/); if (NF > 1) name[id[2]] = $2; own = id[2]; next }
	/^c?fn=/ { split($1, id, /[()]/); if (NF > 1) name[id[2]] = $2 }
	/^calls=/ { getline; next }
	own && /^[0-9]/ { cycles[own] = $column; sum += $column; own = "" }
	END { for (i in cycles) { sub(/\047[0-9]+$/, "", name[i]); of[name[i]] += cycles[i] }
		print "all", all == sum; print "NEXT", of["NEXT"]; print "find-file", of["find-file"]; print "[input]", of["[input]"] }' >events
awk -f "$here/tests/tools/vm_profile.awk" graph.json | awk 'NR > 3 && !NF { exit } NR > 3 { of[$8] += $2 }
	END { print "all", 1; print "NEXT", of["NEXT"]; print "find-file", of["find-file"]; print "[input]", of["[input]"] }' >wanted
cmp events wanted && [ "$(awk '{ n += $2 > 1000 } END { print n }' wanted)" = 3 ]
tap $? "cycles of words and buckets in callgrind's format"
sed 's/^/# /' events wanted

# ---- the bucket tables
for metric in modules scanning running; do
	"$zprof" groups --json --metric "$metric" calc.zprof | awk '/"name":.*"calls"/ { split($0, q, "\"")
		match($0, /"cycles","self":[0-9]+/); cycles = substr($0, RSTART + 16, RLENGTH - 16)
		match($0, /"nexts","self":[0-9]+/); nexts = substr($0, RSTART + 15, RLENGTH - 15)
		printf "%12d %12d  %s\n", nexts, cycles, q[4] }' >table
	sed '/(etc)$/d' table >groups
	golden_file "zprof groups --metric $metric" "forth/groups-$metric.txt" groups
done
record started.zprof --started --zones=buckets >said
all=0
for metric in modules scanning running; do
	"$zprof" groups --json --metric "$metric" started.zprof >table
	grep -q '"nexts"' table || all=1
done
tap $all "buckets alone, from profiler-start to profiler-end"
finish
