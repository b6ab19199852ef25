#!/bin/sh
# SPDX-License-Identifier: MIT
# program-early.sh - a process killed while its profile is being made leaves one that opens (it may be empty), or none.
. "${0%/*}/../programs/check.sh"

folder=$TEST_TMP/early
mkdir -p "$folder"
ZPROF_OPTIONS=output=$folder/profile.%p LD_PRELOAD=$ZPROF_BUILD/libzprof.so \
	"$ZPROF_BUILD/tests/programs/gcc-O2/deaths" kill-early "${KILLS:-30}"
bad=0
for profile in "$folder"/profile.*; do
	[ -e "$profile" ] || continue
	"$ZPROF_BUILD/zprof" info "$profile" >"$TEST_TMP/said" 2>&1 || { bad=1; sed 's/^/# /' "$TEST_TMP/said"; }
done
tap $bad "killed before the first call is done: the profile opens, or there is none"
finish
