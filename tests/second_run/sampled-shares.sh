#!/bin/sh
# SPDX-License-Identifier: MIT
# sampled-shares.sh - the shares of functions in a program sampled from outside are those that the program measures itself
# (sampled_shares.c). Turns have lengths that keep no step with samples, so each of n samples finds a function with the probability that
# is its share. By Hoeffding's inequality, a share of samples is further off than t with a probability of at most 2 exp(-2 n t^2). With
# t = sqrt(ln(2 * 10^8) / 2n), some 13 points here, each of the three checks fails by chance less than once in 10^8 runs.
root=$(cd "${0%/*}/../.." && pwd)
zprof=$ZPROF_BUILD/zprof
. "${0%/*}/../lib/tap.sh"
${CC:-gcc} -g -O2 -fno-optimize-sibling-calls -o shares "$root/tests/second_run/sampled_shares.c" || exit 1
"$zprof" record --quiet --sampled -o out.zp ./shares >true || exit 1
"$zprof" report --json out.zp >report.json
while read -r name share; do
	python3 -c '
import json, math, sys
report, name, true = json.load(open("report.json")), sys.argv[1], float(sys.argv[2])
n = report["times"]["samples"]
total = sum(f["total_ns"] for f in report["functions"] if f["name"] == name) / report["times"]["whole_ns"]
bound = math.sqrt(math.log(2e8) / (2 * n))
print(f"# {name}: {100 * true:.1f} % by its own clock, {100 * total:.1f} % of {n} samples, at most {100 * bound:.1f} apart")
sys.exit(abs(total - true) > bound)' "$name" "$share"
	tap $? "the share of $name is the one that the program measures"
done <true
finish
