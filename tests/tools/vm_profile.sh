#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs vm-6502 under zprof, and writes what zprof counted of the guest as plain tables (vm_profile.awk). The exit status is the run's.
#
#	vm_profile.sh TABLES COMMAND...       the profile itself is kept as TABLES.zprof
tables=$1
shift
rm -f "$tables.zprof"
LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=$PWD/$tables.zprof "$@"
status=$?
"$ZPROF_BUILD/zprof" graph --json --all "$tables.zprof" | awk -f "$(dirname "$0")/vm_profile.awk" >"$tables" || exit 99
exit $status
