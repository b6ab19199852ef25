#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of the Forth, tested by the Forth itself: each file of tests/forth named here prints TAP, and its plan
# at the end.
set -u
. "${0%/*}/../lib/tap.sh"
here=$(cd "$(dirname "$0")/../.." && pwd)
for file in kernel standard system profiler; do
	"$ZPROF_BUILD/vm-6502" --cycles=2000000000 -I "$here/tests/forth" $file.fth >$file.tap
	status=$?
	relay $file.tap
	[ $status = 0 ] && grep -q '^1\.\.' $file.tap || tap 1 "$file.fth comes to its end, with status 0"
done
finish
