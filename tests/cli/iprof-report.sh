#!/bin/sh
# SPDX-License-Identifier: MIT
# iprof-report.sh - a program with IProf's report and displays: recorded, it shows them; not recorded, it has none.
ZPROF_OPTIONS=history=full LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/iprof_report" picture.ppm >out 2>errors
status=$?
grep '^ok\|^not ok' out
sed 's/^/# /' errors
"$ZPROF_BUILD/tests/programs/iprof_report" >unrecorded 2>&1
if grep -q 'SKIP not recorded' unrecorded; then echo "ok 22 - without the library there is no report"; else echo "not ok 22 - without the library there is no report"; fi
if [ "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TWDBR] ')" = "$(nm -g --defined-only "$ZPROF_BUILD/libzprof-report.a" | grep -c ' [TW] Prof_')" ]; then
	echo "ok 23 - the library shows no other names"
else
	echo "not ok 23 - the library shows no other names"
fi
exit $status
