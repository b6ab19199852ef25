#!/bin/sh
# SPDX-License-Identifier: MIT
# The single-step cases next to the repository, each on both cores, and each bus cycle. They are not part of
# the repository; without them this is skipped, loudly, and in CI a skipped test has failed.
cases=$(dirname "$0")/../../../shared/65x02
if [ ! -d "$cases" ]; then
	. "${0%/*}/../lib/tap.sh"
	skip "single-step cases" "no folder $cases: see make test-6502-cases CASES=DIR"
	finish
	exit
fi
exec "$ZPROF_BUILD/tests/vm-6502/cases" --bus "$cases"
