#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-steps.sh - an instrumented handler at every instruction of the library's rare work: all calls are counted, ticks
# conserved. A step is a signal, and there are millions: `seconds` only ends what hangs, however slow the machine is.
. "${0%/*}/../lib/check.sh"

fake=$ZPROF_BUILD/tests/libzprof-fake.so
check "a handler after every instruction while contexts are made, the file and hash grow, zones are jumped over" \
	only=gcc-O2 may_repair=1 seconds=600 library="$fake" steps_seldom normal
check "the same on an alternate stack, and while the recording begins" \
	only=gcc-O0 may_repair=1 seconds=600 library="$fake" steps_seldom alternate first
# (The clock makes no difference to rare work but for its own reading: the real one has its turn in test-long alone.)
[ -z "${STRESS_SECONDS:-}" ] ||
	check "and under the real clock" only=clang-O2 may_repair=1 seconds=600 steps_seldom alternate
finish
