#!/bin/sh
# SPDX-License-Identifier: MIT
# program-tools.sh - the checkers find errors: each is given a profile with one number changed.
. "${0%/*}/../lib/check.sh"

profile=$TEST_TMP/profile
mkdir -p "$TEST_TMP/truth"
TRUTH=$TEST_TMP/truth ZPROF_OPTIONS=output=$profile LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so \
	"$ZPROF_BUILD/tests/programs/gcc-O2/diamond"
"$ZPROF_BUILD/zprof" graph --json "$profile" >"$TEST_TMP/good"
cp "$TEST_TMP"/truth/truth.* "$TEST_TMP/counted"

accepts() { # TOOL WHAT ARGUMENT...
	tool=$1 what=$2
	shift 2
	"$ZPROF_BUILD/tests/$tool" "$@" <"$TEST_TMP/json" >"$TEST_TMP/said" 2>&1
	tap $? "$what"
}
rejects() { # TOOL WHAT ARGUMENT...
	tool=$1 what=$2
	shift 2
	"$ZPROF_BUILD/tests/$tool" "$@" <"$TEST_TMP/json" >"$TEST_TMP/said" 2>&1
	test $? = 1
	tap $? "$what"
}
change() { # FIRST-OCCURRENCE-OF REPLACEMENT
	sed "0,/$1/s/$1/$2/" "$TEST_TMP/good" >"$TEST_TMP/json"
	! cmp -s "$TEST_TMP/good" "$TEST_TMP/json" || echo "# nothing to change: $1"
}

cp "$TEST_TMP/good" "$TEST_TMP/json"
accepts check_counts "the true counts are accepted" "$TEST_TMP/counted"
accepts check_laws "a true profile obeys the laws" --fake
sed '/shared	leaf/d' "$TEST_TMP/counted" >"$TEST_TMP/less"
rejects check_counts "a function that the truth does not have is found" "$TEST_TMP/less"
rejects check_counts "twice the truth is not the profile" "$TEST_TMP/counted" "$TEST_TMP/counted"
change '"callee":2,"calls":[0-9]*' '"callee":2,"calls":7'
rejects check_counts "a wrong count is found" "$TEST_TMP/counted"
rejects check_laws "calls that do not sum up are found"
change '"caller":[0-9]*,"callee":4' '"caller":1,"callee":4'
rejects check_counts "a call below the wrong caller is found" "$TEST_TMP/counted"
for key in self_ticks total_ticks parent_self_ticks parent_total_ticks outside_ticks; do
	change "\"$key\":[0-9]*" "\"$key\":5"
	rejects check_laws "$key that breaks a sum is found"
done
sed 's/\("caller":3.*child_total_ticks":\)[0-9]*/\15/' "$TEST_TMP/good" >"$TEST_TMP/json"
rejects check_laws "child_total_ticks that breaks a sum is found"
change '"ticks":[0-9]*' '"ticks":5'
rejects check_laws "ticks of a thread that are not its functions' are found"
change '"losses":{}' '"losses":{"repair_jump":1}'
rejects check_laws "an unwanted repair is found"
accepts check_laws "a wanted repair is accepted" --repairs
change '"losses":{}' '"losses":{"loss_space":1}'
rejects check_laws "a loss is found" --repairs
finish
