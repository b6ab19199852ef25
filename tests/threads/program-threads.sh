#!/bin/sh
# SPDX-License-Identifier: MIT
# program-threads.sh - threads that return, exit, are cancelled or still run at the end; thousands of short ones.
. "${0%/*}/../lib/check.sh"

check "threads that return, exit, are cancelled, or outlive main" may_repair=1 threads_end
check "${CHURN:=10000} short threads leave no more in the profile than eight" only=*-O2 contexts=200 churn "$CHURN"
check "${THREADS:=1000} threads at once" only=gcc-O2 crowd "$THREADS"

cd "$TEST_TMP" || exit 2
# Names that threads get after their first event.
root=$(cd "${0%/*}/../.." && pwd)
for flags in -finstrument-functions "$("$ZPROF_BUILD/zprof" cflags --fentry 2>/dev/null)"; do
	rm -f names.zp
	[ "$flags" ] || continue # another processor than x86-64
	# shellcheck disable=SC2086
	${CC:-gcc} -O1 -g $flags -I"$root" "$root/tests/threads/names.c" -o names -pthread &&
		ZPROF_OPTIONS=output=$PWD/names.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./names
	is "threads have the names that they got last, or by zprof.h (${flags%% *})" "by-hand by-prctl given-name names own-name" \
		"$("$ZPROF_BUILD/zprof" report --json names.zp | sed -n '/"threads"/,$s/.*"name":"\([^"]*\)".*/\1/p' | sort | tr '\n' ' ' | sed 's/ $//')"
done

# A thread made by clone() that shares the thread-local storage of the one that made it: both may be in a hook at once.
times=${SHARED:-100000} bad=0
${CC:-gcc} -O1 -g -finstrument-functions "${0%/*}/shared_tls.c" -o shared_tls || exit 1
for _ in 1 2 3 4 5; do
	rm -f profile
	ZPROF_OPTIONS=output=$PWD/profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./shared_tls $times || { bad=1; echo "# exit status $?"; }
	"$ZPROF_BUILD/zprof" report --json profile >json
	grep -q '"name":"leaf".*"calls":'$((times + 1)), json && ! grep -q '"name":"other"' json || { bad=1; grep -o '"name":"leaf".*"calls":[0-9]*' json | sed 's/^/# /'; }
	grep -q '"loss_shared":'$((2 * times + 2))'[,}]' json || { bad=1; grep '"losses"' json | sed 's/^/# /'; }
	grep -e went.backwards -e loss_clock_back json && bad=1
	"$ZPROF_BUILD/tests/check_conserved" profile || bad=1
done
tap $bad "a thread that shares another's thread-local storage: the other's calls are recorded, and its events counted as lost"
finish
