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
are_kept() { # OWNERS CALLS SHARERS EVENTS: the calls of one function are recorded, and the events of the other counted as lost
	"$ZPROF_BUILD/zprof" report --json profile >json
	grep -q "\"name\":\"$1\".*\"calls\":$2," json && ! grep -q "\"name\":\"$3\"" json || { grep -o "\"name\":\"$1\".*\"calls\":[0-9]*" json | sed 's/^/# /'; return 1; }
	grep -qF '"losses":{"loss_shared":'"$4}" json || { grep '"losses"' json | sed 's/^/# /'; return 1; }
	grep -e went.backwards -e loss_clock_back json && return 1
	"$ZPROF_BUILD/tests/check_conserved" profile
}
times=${SHARED:-100000}
${CC:-gcc} -O1 -g -finstrument-functions "${0%/*}/shared_tls.c" -o shared_tls &&
	ZPROF_OPTIONS=output=$PWD/profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so ./shared_tls "$times" &&
	are_kept leaf $((times + 1)) other $((2 * times + 2))
tap $? "a thread that shares another's thread-local storage: the other's calls are recorded, and its events counted as lost"
rm -f profile
ZPROF_OPTIONS=output=$PWD/profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/gcc-O2/steps_shared" "${STRIDE:-8}" >said &&
	read -r owners _ _ sharers _ <said && are_kept owners "$owners" sharers $((2 * sharers))
tap $? "... wherever in its hooks the one is when the other comes out of a hook, or goes into one"
finish
