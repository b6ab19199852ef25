#!/bin/sh
# SPDX-License-Identifier: MIT
# debian13.sh - the adapter of CPython with the Python of Debian 13, 3.13: python.sh in a folder that has that system's packages, and
# tests that Python has of itself, whose calls are those that sys.monitoring tells.
#
# Must be root. A copy of the tests of another Debian's Python is this file with another $codename and $python.
. "${0%/*}/../lib/tap.sh"
. "${0%/*}/../lib/debian13.sh"
root=$(cd "${0%/*}/../.." && pwd)
debian13_folder 'base-files dash coreutils sed grep mawk diffutils binutils gcc libc6-dev
	python3 libpython3.13 libpython3.13-testsuite python3-pytest
	libdw1t64 libelf1t64 libinih1 libjansson4 libprotobuf-c1 libncursesw6 libcurl4t64 libunwind8 zlib1g' || {
	sed 's/^/# /' log | tail -5
	skip "Debian 13's Python" "its packages cannot be had"
	finish
	exit
}
debian13_inside '$ZPROF_BUILD/zprof --version' >version 2>&1 || {
	skip "Debian 13's Python" "zprof, as it was built here, does not run there: $(head -1 version)"
	finish
	exit
}
mkdir programs tests
debian13_inside 'cd programs && /zprof/tests/adapters/python.sh' >results 2>errors
status=$?
relay results
[ $status = 0 ] || sed 's/^/# /' errors
tap $status "python.sh with ${python##*/}"

# One process counts and is recorded, so that both see the same calls. Its profiles are where the tests do not find them.
debian13_inside 'cd tests && export PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 && $ZPROF_BUILD/zprof record -o ../p.out $ZPROF_TEST_PYTHON \
	/zprof/tests/adapters/python/count.py ../counted /zprof/tests/adapters/python/own_tests.py' >said 2>errors
grep -qx 'Result: SUCCESS' said
tap $? "Python's own tests of json and re pass while they are recorded" || sed 's/^/# /' said errors
debian13_inside '$ZPROF_BUILD/zprof report --json --full-names --all p.out' | python3 "$root/tests/adapters/python/compare.py" counted \
	'/(json|re|test|unittest)/' >compared
grep -Eqx '[0-9]+ [0-9]+' compared && [ "$(cut -d' ' -f1 <compared)" -ge 500 ]
tap $? "the calls of their functions are those that sys.monitoring tells ($(head -1 compared))" || sed 's/^/# /' compared
finish
