#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-leaps.sh - a handler jumps out of the hooks, at one instruction of the library after the other: what a hook leaves half
# done disturbs no later call. Hooks that make contexts have thousands of instructions: they are tried if $STRESS_SECONDS is set, every
# third one by `make stress`, and all of them by `make test-long`, which has more than 100 seconds. (Without that, a fault in the making of
# contexts shows later, in CI; one that takes a jump out of just one instruction may show in test-long alone.)
. "${0%/*}/../lib/check.sh"

fake=$ZPROF_BUILD/tests/libzprof-fake.so counted=clock=count,sample=0
for stack in normal alternate; do
	check "out of hooks on the usual way, $stack stack" only=gcc-O2 may_repair=1 options=$counted steps_leap warm $stack
	check "the same with a clock" only=gcc-O2 may_repair=1 library="$fake" steps_leap warm $stack
done
if [ "${STRESS_SECONDS:-}" ]; then
	every=$((STRESS_SECONDS > 100 ? 1 : 3))
	check "out of hooks that make contexts" only=gcc-O2 may_repair=1 seconds=250 options=$counted steps_leap cold normal $every
	check "the same on an alternate stack, with a clock" only=gcc-O2 may_repair=1 seconds=250 library="$fake" steps_leap cold alternate 4
fi
finish
