#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-stress.sh - threads, signals, forks, jumps, exceptions, coroutines and libraries that come and go, all at once, for
# $STRESS_SECONDS (3): counts equal the program's own in every process, however it ends.
. "${0%/*}/../lib/check.sh"

left=${STRESS_SECONDS:-3}
[ "$left" -ge 20 ] && each=5 || each=1
while [ "$left" -gt 0 ]; do
	for build in gcc-O2 clang-O2 gcc-O0 clang-O0; do
		[ "$left" -gt 0 ] || break
		check "everything at once" only=$build may_repair=1 killed=1 seconds=120 stress $each
		left=$((left - each))
	done
done
finish
