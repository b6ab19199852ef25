#!/bin/sh
# SPDX-License-Identifier: MIT
# The words of the Forth, tested by the Forth itself: each file of tests/forth named here prints TAP, and its plan
# at the end.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
status=0
for file in kernel standard system profiler; do
	"$ZPROF_BUILD/vm-6502" --cycles=2000000000 -I "$here/tests/forth" $file.fth >$file.tap || status=$?
	cat $file.tap
	grep -q '^1\.\.' $file.tap || { echo "not ok - $file.fth comes to its end"; status=1; }
done
exit $status
