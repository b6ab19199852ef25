#!/bin/sh
# SPDX-License-Identifier: MIT
# program-displaced.sh - programs that nobody built with hooks, whose entries are displaced as they start (preload/displace/displace.h):
# the counts equal the program's own, whatever way control takes. Displaced are the functions that have a hook in the same program built
# with -mfentry: functions that count, and those that are not to be seen, stay as they are.
. "${0%/*}/../lib/check.sh"
variants="gcc-displaced clang-displaced"
plans=$TEST_TMP/plans
mkdir "$plans"
for variant in $variants; do
	for program in "$ZPROF_BUILD/tests/programs/$variant"/*; do
		twin=$ZPROF_BUILD/tests/programs/${variant%-*}-entries/${program##*/}
		case $program in *.d) continue ;; esac
		objdump -d --no-show-raw-insn "$twin" |
			awk '/^[0-9a-f]+ </ { f = $2; gsub(/[<>:]/, "", f) } /call.*__fentry__/ { print f }' | sort -u >"$TEST_TMP/functions"
		"$ZPROF_BUILD/tests/make_plan" "$plans" --functions "$TEST_TMP/functions" "$program" >>"$TEST_TMP/planned" || echo "# no plan of $program"
	done
done

displaced() { # WHAT [NAME=VALUE ...] PROGRAM [ARGUMENT ...]
	what_displaced=$1
	shift
	check "$what_displaced" options="plans=$plans" "$@"
}
displaced "a chain of calls" chain
displaced "two callers share a function" diamond
displaced "direct recursion, folded" recurse
displaced "direct recursion, not folded" options="plans=$plans,recursion=0" recurse
displaced "mutual recursion, entered anywhere" mutual
displaced "one caller of 500 functions" fan
displaced "C++: virtual calls, constructors, templates" virtual
displaced "recursion 100,000 deep" deep
displaced "two threads, 5 million calls each" threads
displaced "ten thousand contexts" contexts 4
displaced "longjmp, out of handlers too, whatever is called next" may_repair=1 jumps
displaced "C++ exceptions and forced unwinding" may_repair=1 exceptions
displaced "functions split by the compiler" split
displaced "alloca, inlining, tail calls, noreturn" tails
displaced "handlers at 10 kHz, nested" may_repair=1 signals normal 3
displaced "handlers at 10 kHz on an alternate stack, nested" may_repair=1 signals alternate 3
displaced "a handler after every 3rd instruction of the hooks" only=gcc-displaced may_repair=1 steps 3
displaced "contexts (swapcontext)" may_repair=1 stacks contexts
displaced "a hand-written switch between mapped stacks" may_repair=1 stacks assembly
displaced "stacks abandoned and used again" may_repair=1 stacks abandoned
displaced "a stack that goes on in other threads" may_repair=1 stacks migrating
displaced "fork" forks fork
displaced "_exit" status=3 deaths _exit
displaced "no more contexts than 2,000" contexts=2000 options="plans=$plans,max_nodes=2000" bounded diamonds 5000
displaced "call sites" options="plans=$plans,callsites=1" diamond
displaced "each caller is the function that the return address lies in" options="plans=$plans,check=1" contexts 4
finish
