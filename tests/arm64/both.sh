#!/bin/sh
# SPDX-License-Identifier: MIT
# both.sh - profiles that were recorded on arm64 and on x86-64 say the same to the commands of both: run by tests/arm64/run.sh, which sets
# ZPROF_OTHER, the folder where zprof is built for this machine.
. "${0%/*}/../lib/tap.sh"
cd "$TEST_TMP" || exit 2
: "${ZPROF_OTHER:?is set by tests/arm64/run.sh}"

for name in chain virtual threads shared; do
	for build in "$ZPROF_BUILD" "$ZPROF_OTHER"; do
		TRUTH=$TEST_TMP LD_PRELOAD=$build/libzprof.so ZPROF_OPTIONS=output=profile "$build/tests/programs/gcc-O2/$name" >out 2>&1
		for view in graph report; do
			"$ZPROF_BUILD/zprof" $view --json profile >by-arm64
			"$ZPROF_OTHER/zprof" $view --json profile >by-x86-64
			test -s by-arm64 && cmp by-arm64 by-x86-64 >&2
			tap $? "$name, recorded by ${build##*/}/libzprof.so: $view"
		done
		jq -S '[.functions[] | select(.calls > 0) | {name, calls}] | sort' by-arm64 >"calls-${build##*/}"
		rm -f profile truth.*
	done
	same "$name: calls of each function" "calls-${ZPROF_BUILD##*/}" "calls-${ZPROF_OTHER##*/}"
done
finish
