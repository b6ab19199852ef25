#!/bin/sh
# SPDX-License-Identifier: MIT
# exact-registers.sh - no hook, usual or slow, changes a register, a floating-point flag, or errno (tests/hooks/registers.c).
. "${0%/*}/../lib/check.sh"
source=$(cd "${0%/*}" && pwd)/registers.c
cd "$TEST_TMP" || exit 2
grep -qw avx512f /proc/cpuinfo || echo "# this processor has no AVX-512; its registers were not looked at"
for cc in gcc clang; do
	$cc -O2 -g -pthread -finstrument-functions "$source" -o registers -L"$ZPROF_BUILD" -lzprof -Wl,-rpath,"$ZPROF_BUILD" || exit 1
	for options in clock=exact clock=count max_nodes=500 check=5; do
		# when the stack is checked, libunwind may change what any function may
		only=
		case $options in check*) only=control ;; esac
		ZPROF_OPTIONS=output=profile,$options ./registers $only >out 2>&1
		status=$?
		sed 's/^/# /' out
		test $status = 0 && test -e profile
		tap $? "$cc, $options${only:+: what no function may change}"
		rm -f profile*
	done
	./registers >out 2>&1 # linked with the library, but not recorded
	status=$?
	sed 's/^/# /' out
	test $status = 0 && ! ls zprof.out* >/dev/null 2>&1
	tap $? "$cc, not recorded"
done
finish
