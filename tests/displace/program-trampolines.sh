#!/bin/sh
# SPDX-License-Identifier: MIT
# program-trampolines.sh - what the entry of a displaced function leaves as it was (registers.c), and each kind of moved instruction:
# its work, exceptions and backtraces through its trampoline (rows.cc). Each in the usual way of a hook and in the slow ways.
. "${0%/*}/../lib/tap.sh"
plans=$TEST_TMP/plans programs=$ZPROF_BUILD/tests/displace
mkdir "$plans"
nm "$programs/registers" | awk '$2 ~ /[Tt]/ && $3 != "registers_plain" { print $3 }' >"$TEST_TMP/functions"
"$ZPROF_BUILD/tests/make_plan" "$plans" --functions "$TEST_TMP/functions" "$programs/registers" >"$TEST_TMP/planned"
"$ZPROF_BUILD/tests/make_plan" "$plans" "$programs/rows" >>"$TEST_TMP/planned"

recorded() { # WHAT OPTIONS PROGRAM [ARGUMENT ...]
	what=$1 options=$2
	shift 2
	rm -f "$TEST_TMP/out"
	LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS="plans=$plans,output=$TEST_TMP/out$options" timeout 100 "$@" >"$TEST_TMP/said" 2>&1
	tap $? "$what" || sed 's/^/# /' "$TEST_TMP/said"
}
counted() { # WHAT FUNCTION CALLS: as a report prints them
	"$ZPROF_BUILD/zprof" graph --color=never "$TEST_TMP/out" 2>"$TEST_TMP/err" >"$TEST_TMP/graph"
	grep -q "^\[.* $3 *$2 " "$TEST_TMP/graph"
	tap $? "$1" || grep "$2" "$TEST_TMP/graph" | sed 's/^/# /'
}
for way in "" ,callsites=1 ,check=1; do
	recorded "registers, flags, the red zone, MXCSR and the x87 unit${way:+ ($way)}" "$way" "$programs/registers"
	counted "each call is counted${way:+ ($way)}" registers_probe 40,000
	recorded "each kind of moved instruction, and exceptions${way:+ ($way)}" "$way" "$programs/rows" calls
	is "no wrong caller${way:+ ($way)}" "$("$ZPROF_BUILD/zprof" info "$TEST_TMP/out" 2>/dev/null | grep -c 'wrong caller')" 0
	recorded "a handler's backtrace after each instruction of a call reaches main${way:+ ($way)}" "$way" "$programs/rows" steps
	is "... and so does the library's own, of the function that the handler calls${way:+ ($way)}" \
		"$("$ZPROF_BUILD/zprof" info "$TEST_TMP/out" 2>/dev/null | grep -c 'wrong caller\|had to be guessed')" 0
done
recorded "registers, flags and the rest (switched off)" ,start=off "$programs/registers"
recorded "each kind of moved instruction, and exceptions (switched off)" ,start=off "$programs/rows" calls
recorded "dl_iterate_phdr tells of the trampolines" "" "$programs/rows" headers
recorded "backtraces in a handler, at 5 kHz, reach main" "" "$programs/rows" signals 2
if "$programs/no_wx" /bin/true; then
	recorded "no page is both writable and executable: the kernel forbids that" "" "$programs/no_wx" "$programs/rows" calls
	counted "each call is counted, where the kernel forbids that" rows_callee 420,000
else
	skip "no page is both writable and executable" "this kernel cannot forbid that"
fi
finish
