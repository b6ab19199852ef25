#!/bin/sh
# SPDX-License-Identifier: MIT
# Passes the Forth through the public Forth 2012 test suite and tells the errors of each word set.
#
#   ZPROF_BUILD=build tests/forth/suite.sh DIR
#
# DIR is the folder that its runtests.fth is in. Without it nothing is tested, and that is said.
set -u
suite=${1:-}
if [ ! -f "$suite/runtests.fth" ]; then
	echo "SKIPPED: the Forth 2012 test suite was NOT run: '$suite' has no runtests.fth"
	echo 'Get it:  git clone https://github.com/gerryjackson/forth2012-test-suite'
	echo 'Then:    make test-forth-suite SUITE=forth2012-test-suite/src'
	exit 0
fi
tmp=$(mktemp -d) || exit 2
trap 'rm -rf "$tmp"' EXIT INT TERM
echo 'a line for ACCEPT' | "$ZPROF_BUILD/vm-6502" --cycles=60000000000 --dir="$tmp" -I "$suite" runtests.fth >"$tmp/out" 2>&1
rc=$?
sed -n '/^Word Set/,/^Total/p' "$tmp/out" | grep -v '^-'
status=0
wrong() {
	echo "FAILED: $1"
	status=1
}
[ $rc = 0 ] || wrong "exit status $rc: $(tail -1 "$tmp/out")"
grep -q '^Forth tests completed' "$tmp/out" || wrong 'it did not come to its end'
grep -q '^0 tests failed out of 57' "$tmp/out" || wrong 'the preliminary tests'
grep -q '^Total  *0$' "$tmp/out" || wrong 'there are errors'
grep -n -i -A 3 -E 'incorrect result|wrong number' "$tmp/out" && wrong 'results are told to be wrong'
exit $status
