#!/bin/sh
# SPDX-License-Identifier: MIT
# program-goldens.sh - whole call graphs to the tick: each reading of the clock is one tick, so every build gives the same text.
#
#   tests/hooks/program-goldens.sh [--update]     (--update writes tests/golden/program-*.txt anew)
#
# Besides the text, sums are asserted, and that self is a tick for each call made and each return; so a golden that passes
# is right, however it was made.
golden=${0%/*}/../golden
. "${0%/*}/../lib/check.sh"

# golden NAME "FILTERS" VARIANTS PROGRAM [ARGUMENT...]
golden() {
	name=$1 filters=$2 only=$3 program=$4
	shift 4
	for variant in $variants; do
		# shellcheck disable=SC2254
		case $variant in $only) ;; *) continue ;; esac
		profile=$TEST_TMP/$name.$variant
		rm -f "$profile"
		TRUTH=$TEST_TMP ZPROF_OPTIONS=output=$profile LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so \
			"$ZPROF_BUILD/tests/programs/$variant/$program" "$@"
		bad=0
		"$ZPROF_BUILD/zprof" graph --json "$profile" | "$ZPROF_BUILD/tests/check_laws" --fake >"$TEST_TMP/said" || bad=1
		# shellcheck disable=SC2086
		"$ZPROF_BUILD/zprof" graph --no-via $filters "$profile" |
			sed "1s|^.*/$program *|$program: |; s/ *[a-z_]*\.[a-z]*:[0-9]*$//" >"$TEST_TMP/$name.txt"
		[ "$update" = --update ] && cp "$TEST_TMP/$name.txt" "$golden/program-$name.txt"
		diff "$golden/program-$name.txt" "$TEST_TMP/$name.txt" >>"$TEST_TMP/said" || bad=1
		head -20 "$TEST_TMP/said" | sed 's/^/# /'
		tap $bad "the call graph of $name, to the tick ($variant)"
	done
}

update=${1:-}
mkdir -p "$golden"
golden chain '' '*' chain
golden diamond '' '*' diamond
golden recurse '' '*' recurse
golden recurse-spread '--recursion=spread --func fact*' '*' recurse
golden mutual '' '*' mutual
golden fan '--func fan' '*' fan
golden deep '' '*' deep 100000
golden split '' '*' split
golden threads '' '*' threads 1000
# without optimization clang makes a constructor of two functions
golden virtual '' '*-O2' virtual
finish
