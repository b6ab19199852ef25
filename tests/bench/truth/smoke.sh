#!/bin/sh
# SPDX-License-Identifier: MIT
# The arithmetic of the judge of self times, on made-up inputs with figures worked out by hand.
: "${ZPROF_BUILD:?is set by tests/run}"
. "${0%/*}/../../lib/tap.sh"
cd "${0%/*}/../../.." || exit 2
work=${TEST_TMP:?is set by tests/run}
judge=$ZPROF_BUILD/bench/truth/judge
tabs() { tr ' ' '\t'; }
report() { # NAME:SELF:ERROR... The whole's error is the sum of all.
	printf '%s\n' "$@" | awk -F: '{ sum += $3 } END { printf "{\"overhead\":{\"error_ns\":%.1f},\"functions\":[", sum }'
	comma=''
	for row; do
		echo "$row" | awk -F: -v comma="$comma" '{ printf "%s{\"name\":\"%s\",\"self_ns\":%.1f,\"error_ns\":%.1f}", comma, $1, $2, $3 }'
		comma=,
	done
	printf ']}\n'
}
cell() { "$judge" cell "$@" >"$work/cell"; }
member_is() { # MEMBER VALUE: to a thousandth
	found=$(sed -n "s/.*\"$1\":\([-0-9.e]*\).*/\1/p" "$work/cell")
	awk -v found="${found:-none}" -v want="$2" 'BEGIN { d = found - want; exit !(found != "none" && d < 0.001 && d > -0.001) }' ||
		{ echo "# $1 is ${found:-not there}, not $2"; return 1; }
}

# 60, 30 and 10 points, 1000 samples in two halves that agree
printf 'large 300 300\nmiddle 150 150\nsmall 50 50\n' | tabs >"$work/truth"
# 50, 40 and 10 points
report large:500:66 middle:400:120 small:100:0 >"$work/shown.json"
cell --truth "$work/truth" --shown "$work/shown.json"
holds "the distance is half the sum of the differences" member_is distance 10
# 50 * sqrt(2 / pi) * (sqrt(.6 * .4 / 1000) + sqrt(.3 * .7 / 1000) + sqrt(.1 * .9 / 1000))
holds "the noise is what two such sets of samples differ by" member_is noise 1.575
holds "it is taken off in quadrature" member_is net 9.875
holds "halves that agree are no distance apart" member_is repeat 0
# each half has 500 samples: sqrt(1 / 500 + 1 / 500) in place of sqrt(1 / 1000)
holds "though some is expected" member_is repeat_noise 3.149
# .5 * 66 + .5 * 120, .6 * 120 + .4 * 66 and .1 * 186 of 1000: bars of 9.3, 9.84 and 1.86 points, and of the truth itself 3.04, 2.84 and 1.86;
# for errors of 10, 10 and 0
holds "bars are compared with the error, which includes the truth's own noise" member_is held 2
holds "of functions above 1 %" member_is large 3
# large and middle are shown 10 points apart, with bars of 9.3 and 9.84
holds "functions within their bars of each other have no order" member_is order_pairs 2
holds "the others have the right one" member_is order_wrong 0
cell --truth "$work/truth" --shown "$work/shown.json" --samples 1000
holds "the judged times may be made of samples too" member_is noise 2.227

printf 'large 100\nmiddle 800\nsmall 100\n' | tabs >"$work/wrong"
cell --truth "$work/truth" --shown "$work/wrong"
holds "a wrong order is found" member_is order_wrong 1

report large:500:66 '[kernel]:1000:0' middle:400:120 small:100:0 >"$work/kernel.json"
cell --truth "$work/truth" --shown "$work/kernel.json"
holds "rows in brackets are left out" member_is distance 10
holds "and their share is given" grep -q '"brackets":{"\[kernel\]":50.0}' "$work/cell"
report large:600:0 middle:400:0 small:-200:0 >"$work/negative.json"
cell --truth "$work/truth" --shown "$work/negative.json"
holds "a time below zero is shown as none" member_is distance 10
printf 'large.part.0 300\nlarge.constprop.0.isra.1 200\n_ZN6middle3runEv 1\nmiddle 399\nsmall 100\n' | tabs >"$work/parts"
printf 'middle::run() 0 1\n' | sed 's/ /\t/g' | cat - "$work/truth" >"$work/truth-more"
cell --truth "$work/truth-more" --shown "$work/parts"
holds "parts of a function count for it, and linkers' names are read" member_is distance 9.940
cell --half "$work/truth" --other-half "$work/truth" --shown "$work/shown.json"
holds "samples of several runs are added up" member_is truth_samples 2000
printf 'large 300 0\nmiddle 100 0\nsmall 100 0\n' | tabs >"$work/half"
cell --half "$work/half" --other-half "$work/truth" --shown "$work/shown.json"
holds "builds that differ are kept apart" member_is repeat 10

printf 'large 7 600\nmiddle 9 300\nsmall 9 100\n' >"$work/known"
report large:500:66 unknown:5000:0 middle:400:120 small:100:0 >"$work/unknown.json"
cell --known "$work/known" --shown "$work/unknown.json"
holds "known times have no noise" member_is noise 0
holds "and functions without a known time do not count" member_is distance 10

report large:520:10 middle:380:10 small:100:0 >"$work/run.json"
cell --truth "$work/truth" --shown "$work/shown.json" --run "$work/shown.json" --run "$work/run.json"
holds "two runs are compared" member_is spread_pairs 3
holds "within the bars of both" member_is spread_within 3
holds "and the widest difference is given" member_is spread_widest 2
cell program=made front=fentry shower=x --truth "$work/truth" --shown "$work/shown.json" --run "$work/run.json" --run "$work/wrong"
holds "runs without bars must be equal" member_is spread_within 1
"$judge" table "$work/cell" >"$work/table"
holds "a cell is a row of a table" grep -Eq '^x +10\.0 +1\.6 +9\.9 +2 of 3 ' "$work/table"
"$judge" plot "$work/cell" >"$work/plot.svg"
holds "and a panel of a drawing" test "$(grep -c '<circle' "$work/plot.svg") $(tail -1 "$work/plot.svg")" = "3 </svg>"
holds "whose elements are closed" test "$(grep -c '<g ' "$work/plot.svg")" = "$(grep -c '</g>' "$work/plot.svg")"
: >"$work/nothing"
! cell --truth "$work/truth" --shown "$work/nothing" 2>"$work/said"
holds "a cell needs something shown" grep -q "none of the known functions is shown" "$work/said"
! cell --truth "$work/nosuch" --shown "$work/wrong" 2>"$work/said"
holds "a file that cannot be read is named" grep -q "cannot read '$work/nosuch'" "$work/said"

# main calls work, which calls libc's sort (100 of its own), which calls memcpy (40) and the program's compare (7, of which 3 deeper
# in its recursion)
cat >"$work/callgrind" <<'END'
events: Ir
ob=(1) /made/program
fn=(1) main
3 10
cfn=(2) work
calls=1 5
4 167
fn=(2)
5 20
cob=(2) /lib/libc.so
cfn=(3) sort
calls=1 9
6 147
ob=(2)
fn=(3)
9 100
cfn=(4) memcpy
calls=2 1
9 40
cob=(1)
cfn=(5) compare
calls=3 8
9 7
fn=(4)
1 40
ob=(1)
fn=(5)
8 4
fn=(6) compare'2
8 3
END
awk -v program=/made/program -f tests/real/callgrind_names.awk -f tests/bench/truth/callgrind.awk "$work/callgrind" | sort >"$work/instructions"
holds "instructions of libraries count for the program's function that called them" \
	test "$(tr '\t\n' '= ' <"$work/instructions")" = "compare=3 compare=4 main=10 work=160 "
finish
