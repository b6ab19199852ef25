#!/bin/sh
# SPDX-License-Identifier: MIT
# iprof-report.sh - a program with IProf's report and displays: recorded, it shows them; not recorded, it has none.
. "${0%/*}/../lib/tap.sh"
ZPROF_OPTIONS=history=full LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/iprof_report" picture.ppm >out 2>errors
status=$?
grep '^ok\|^not ok' out >results
relay results
sed 's/^/# /' errors
"$ZPROF_BUILD/tests/programs/iprof_report" >unrecorded 2>&1
grep -q 'SKIP not recorded' unrecorded
tap $? "without the library there is no report"
[ "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TWDBR] ')" = "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TW] Prof_')" ]
tap $? "the library shows no other names"
# A zone of many calls in one frame that is looked at, under the exact clock.
ZPROF_OPTIONS=clock=exact,history=full LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/iprof_report" slow >slow 2>&1 || status=1
grep '^ok\|^not ok' slow >results
relay results
finish && exit $status
