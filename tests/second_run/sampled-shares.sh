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
	jq -r --arg name "$name" '.times.samples as $n | (([.functions[] | select(.name == $name).total_ns] | add) / .times.whole_ns) as $share |
		"\($share) \((2e8 | log) / (2 * $n) | sqrt) \($n)"' report.json | awk -v name="$name" -v own="$share" '{
		printf "# %s: %.1f %% by its own clock, %.1f %% of %d samples, at most %.1f apart\n", name, 100 * own, 100 * $1, $3, 100 * $2
		near = $1 - own <= $2 && own - $1 <= $2 } END { exit !near }'
	tap $? "the share of $name is the one that the program measures"
done <true
finish
