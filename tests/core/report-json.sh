#!/bin/sh
# SPDX-License-Identifier: MIT
# report/schema.md says what the JSON is: every member printed is on the page with its type, every member on the page is printed.
. "${0%/*}/../lib/golden.sh"
zprof=$ZPROF_BUILD/zprof
page_root=$(cd "$(dirname "$0")/../.." && pwd)
page=$page_root/report/schema.md
cp "$golden_folder/report/sample.groups" zprof.groups
# a missing library gives no linkage name; a zone lent in a group gives a group ways between zones,
# one of them cut short, and one with a different second way
{
	awk '{ print } /^      expr/ { print "via @1+0x300 0x999" } /^    parse/ { print "via cut 0x999" }' "$golden_folder/report/sample.spec"
	printf 'thread 103 late 1\n  main 1 1\n    parse 1 1\nvia 0x998\n'
} | "$ZPROF_BUILD/tests/make_profile" sample.prof || exit 1

# "path type" of a section's table, a line for each type it allows; `?path` where it may be missing
table() { # HEADING
	awk -F'|' -v heading="## $1" '
		/^## / { in_it = $0 == heading }
		in_it && $2 ~ /`/ {
			gsub(/[` ]/, "", $2); type = $3
			optional = sub(/, optional/, "", type); gsub(/^ +| +$/, "", type)
			n = split(type, types, " or ")
			for (i = 1; i <= n; i++) print $2, types[i]
			if (optional) print "?" $2
		}' "$page"
}

check() { # NAME HEADINGS COMMAND...
	name=$1 headings=$2; shift 2
	"$@" 2>errors | "$ZPROF_BUILD/tests/json_shape" | sort -u >printed
	echo "$headings" | tr ';' '\n' | while read -r heading; do table "$heading"; done | sort -u >documented
	grep -v '^?' documented | comm -13 - printed >unknown
	[ -s printed ] && [ ! -s unknown ]
	tap $? "$name: all that is printed is documented"
	sed 's/^/# not on the page: /' unknown
	sed -n 's/^?//p' documented >optional
	cut -d' ' -f1 printed | sort -u >printed-paths
	grep -v '^?' documented | cut -d' ' -f1 | sort -u | comm -23 - printed-paths | grep -vxF -f optional >missing
	[ ! -s missing ]
	tap $? "$name: all that is documented is printed"
	sed 's/^/# not printed: /' missing
}

check graph "Every document;report, graph" "$zprof" graph --json sample.prof
check "report, selected" "Every document;report, graph" "$zprof" report --json --func 'f*' --func expr sample.prof
check "report --tree" "Every document;report --tree" "$zprof" report --tree --json sample.prof
check "groups --matrix" "Every document;groups" "$zprof" groups --matrix --json sample.prof
# counters, call sites and turns of loops
"$ZPROF_BUILD/tests/make_profile" lent.prof <"$golden_folder/report/lent.spec" || exit 1
check "graph, lent zones" "Every document;report, graph" "$zprof" graph --json sample.prof lent.prof
check "report --callers, lent zones" "Every document;report --callers" "$zprof" report --callers --json --all sample.prof lent.prof
check "report --callers" "Every document;report --callers" "$zprof" report --callers --json sample.prof
check "report --tree, lent zones" "Every document;report --tree" "$zprof" report --tree --json sample.prof lent.prof
check "groups --matrix, lent zones" "Every document;groups" "$zprof" groups --matrix --json sample.prof lent.prof
# and profiles that tell when threads waited
for spec in sample lent; do
	{ awk '{ print } /^      expr/ { print "via @1+0x300 0x999" } /^    parse/ { print "via cut 0x999" }' "$golden_folder/report/$spec.spec"
	echo 'sampler 1'; echo 'refused @1+0x300 0x20'; [ $spec = lent ] || printf 'thread 103 late 1\n  main 1 1\n    parse 1 1\nvia 0x998\n'; } |
		"$ZPROF_BUILD/tests/make_profile" $spec-sampled.prof || exit 1
done
check "graph, sampled" "Every document;report, graph" "$zprof" graph --json sample-sampled.prof lent-sampled.prof
check "report --tree, sampled" "Every document;report --tree" "$zprof" report --tree --json sample-sampled.prof lent-sampled.prof
check "groups --matrix, sampled" "Every document;groups" "$zprof" groups --matrix --json sample-sampled.prof lent-sampled.prof
"$ZPROF_BUILD/tests/make_profile" limits.prof <"$golden_folder/report/limits.spec" || exit 1
check "graph, contexts spent" "Every document;report, graph" "$zprof" graph --json sample.prof limits.prof
check "report --tree, contexts spent" "Every document;report --tree" "$zprof" report --tree --json sample.prof limits.prof
sed 's/clock fake/clock tsc 1000000000\nhooks 9000 9000 0/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" dear.prof
nm "$ZPROF_BUILD/zprof" | awk '$3 == "main" { print $1 }' >main
{ printf 'clock tsc 1000000000\nhooks 20000 20000 0\nmodule 1 %s 0x10000 0x20000000 0x10000\nthread 1 t 1\n  @1+0x%s 1 5\n' "$ZPROF_BUILD/zprof" "$(cat main)"
  echo '    @1+0x10 100 2'; } | "$ZPROF_BUILD/tests/make_profile" native.prof
check tune "Every document;tune" "$zprof" tune --json dear.prof native.prof
check info "Every document;info" "$zprof" info --json sample.prof lent.prof limits.prof
sed 's/parse 2 50/parse 2 60/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" after.prof
gcc -g -O1 -finstrument-functions -I"$page_root" "$page_root/tests/programs/frames.c" -o frames -lpthread || exit 1
ZPROF_OPTIONS=output=frames.prof,frame=handle,tails=lookup,history=full LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./frames 100 70 misuse
check frames "Every document;frames" "$zprof" frames --json frames.prof
check "frames --slowest" "Every document;frames" "$zprof" frames --json --slowest 1 frames.prof
check diff "Every document;diff" "$zprof" diff --json --fail 'calls>0%' --fail 'whole self>1s' sample.prof after.prof
check "diff, lent zones" "Every document;diff" "$zprof" diff --json lent.prof sample.prof -- lent.prof limits.prof
check "diff, lent zones on one side" "Every document;diff" "$zprof" diff --json lent.prof sample.prof limits.prof
sed 's/clock fake/clock fake\nmode count/; s/^run .*//' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" count.prof
check "diff, calls only" "Every document;diff" "$zprof" diff --json count.prof count.prof count.prof
sed 's/^rank.*//; s/^host/rank 3\nhost/' "$golden_folder/report/sample.spec" | "$ZPROF_BUILD/tests/make_profile" rank.prof
check "report --by-rank" "Every document;report --by-rank" "$zprof" report --by-rank --json sample.prof rank.prof
check ls ls "$zprof" ls --json sample.prof rank.prof
# calls by place, of a program with lines
printf 'int twice(int n) { return 2 * n; }\nint main(void) { return twice(0); }\n' >lines.c && gcc -g -finstrument-functions lines.c -o lines &&
	ZPROF_OPTIONS=callsites=1,output=$PWD/lines.prof LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so ./lines
check annotate "Every document;annotate" "$zprof" annotate --json lines.prof limits.prof sample.prof
gcc lines.c -o counted $("$zprof" cflags --counts) && ZPROF_OPTIONS=output=$PWD/counted.prof LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./counted
check "annotate --counts" "Every document;annotate --counts" "$zprof" annotate --counts --json counted.prof limits.prof sample.prof
finish
