#!/bin/sh
# SPDX-License-Identifier: MIT
# iprof-report.sh - a program with IProf's report and displays: recorded, it shows them; not recorded, it has none.
ZPROF_OPTIONS=history=full LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/iprof_report" picture.ppm >out 2>errors
status=$?
grep '^ok\|^not ok' out
sed 's/^/# /' errors
"$ZPROF_BUILD/tests/programs/iprof_report" >unrecorded 2>&1
if grep -q 'SKIP not recorded' unrecorded; then echo "ok 23 - without the library there is no report"; else echo "not ok 23 - without the library there is no report"; fi
if [ "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TWDBR] ')" = "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TW] Prof_')" ]; then
	echo "ok 24 - the library shows no other names"
else
	echo "not ok 24 - the library shows no other names"
fi
# A zone of many calls in one frame that is looked at, under the exact clock.
ZPROF_OPTIONS=clock=exact,history=full LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/iprof_report" slow >slow 2>&1 || status=1
sed -n 's/^ok \([0-9]*\)/ok 2\1/p; s/^not ok \([0-9]*\)/not ok 2\1/p' slow | awk '{ sub(/2[12]/, 24 + ++n); print }'
exit $status
