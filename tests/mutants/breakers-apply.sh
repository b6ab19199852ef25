#!/bin/sh
# SPDX-License-Identifier: MIT
# breakers-apply.sh - each breaker (tests/mutants/run) can still be applied to the sources, and each law has one.
. "${0%/*}/../lib/tap.sh"
cd "$(dirname "$0")/../.." || exit 2

bad=''
for patch in tests/mutants/breakers/*.patch; do
	patch -p1 --dry-run -s -F0 <"$patch" >/dev/null && grep -q '^test: ' "$patch" && grep -q '^fails: ' "$patch" || bad="$bad $patch"
done
[ -z "$bad" ]
tap $? "each breaker applies, and says which test fails" || echo "#$bad"

without=''
for law in $(sed -n 's/.*cmocka_unit_test(\([a-z_]*\)).*/\1/p' tests/callgraph/report_laws.c); do
	grep -qx "fails: $law" tests/mutants/breakers/*.patch || without="$without $law"
done
for test in exact-model entries-model $(awk '/^[a-z]/ { print $1 }' tests/table-real); do
	grep -qE "^test: $test( |\$)" tests/mutants/breakers/*.patch || without="$without $test"
done
[ -z "$without" ]
tap $? "each law, each model and each test of real programs has a breaker" || echo "#$without"
finish
