#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs all tests ten times: does one of them fail by luck? Each run has a line in BUILD/repeated, below it what failed. Ended and
# called again, the script goes on with the run that was not finished; for another commit it begins anew.
#
#   tests/tools/repeat.sh BUILD        (make test-repeated builds what the tests need, and calls it)
#
# Runs 2, 4, 6 and 8 are beside four loops that do nothing but compute, so that a test gets a processor late, and loses it at any time.
set -u
build=${1:?usage: tests/tools/repeat.sh BUILD}
log=$build/repeated
[ -x "$build/tests/make_profile" ] || {
	echo "repeat.sh: $build has no programs of the tests: call make test-repeated, which builds them" >&2
	exit 2
}
commit=$(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo ', changed')
grep -qsx "commit $commit" "$log" || echo "commit $commit" >"$log"
loops=
trap 'kill $loops 2>/dev/null; exit 2' INT TERM

for run in 1 2 3 4 5 6 7 8 9 10; do
	! grep -q "^run $run:" "$log" || continue
	beside=
	case $run in
	2|4|6|8)
		beside=', beside four busy loops'
		for _ in 1 2 3 4; do
			sh -c 'while :; do :; done' &
			loops="$loops $!"
		done
		;;
	esac
	began=$(date +%s)
	tests/run "$build" >"$log.output" 2>&1
	# shellcheck disable=SC2086
	[ -z "$loops" ] || { kill $loops; wait $loops 2>/dev/null; loops=; }
	echo "run $run: $(tail -n 1 "$log.output") in $(($(date +%s) - began)) s$beside" | tee -a "$log"
	sed '$d' "$log.output" | tee -a "$log"
done
[ "$(grep -c '^run .* passed, 0 failed' "$log")" = 10 ]
