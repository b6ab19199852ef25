#!/bin/sh
# SPDX-License-Identifier: MIT
# program-flow.sh - call counts and callers are right however control flows: jumps, exceptions, frames of odd shapes.
. "${0%/*}/../lib/check.sh"

check "longjmp, out of handlers too, whatever is called next" may_repair=1 jumps
check "recursion inlined into itself, and left by jumps" may_repair=1 inlined
check "functions split by the compiler: nothing to repair" split
check "a part of a function left by longjmp" may_repair=1 split jumps
check "signals in parts of functions, handlers that call them: nothing to repair" split signals
nm "$ZPROF_BUILD/tests/programs/gcc-O2/split" | grep -cE ' (fill|join|down)\.part\.' | grep -q '^3$'
tap $? "gcc has split the functions that it was to split"
check "C++ exceptions and forced unwinding" may_repair=1 exceptions
check "exceptions handled where a part of a function begins" only='gcc-*' handlers
check "alloca, inlining, tail calls, noreturn: nothing to repair" tails

# ---- what reports say of that
says() { # PROGRAM: the lines below its report
	rm -f said.zp* && ZPROF_OPTIONS=output=said.zp LD_PRELOAD=$ZPROF_BUILD/libzprof.so TRUTH=$TEST_TMP "$ZPROF_BUILD/tests/programs/$1" >out 2>&1
	"$ZPROF_BUILD/zprof" report said.zp | sed -n '/^Calls left/,$p; /^Switches/,$p; /^What went wrong/,$p' >said
	sed 's/^/# /' said
}
says clang-O2/exceptions
grep -qE '^Calls left without returning \(exceptions, jumps, ends of threads\): [1-9][0-9,]*$' said && [ "$(wc -l <said)" = 1 ]
tap $? "exceptions are a fact of the program, not something that went wrong"
says gcc-O2/stacks
grep -qE '^Switches between stacks \(signal stacks, coroutines\): [1-9][0-9,]*$' said && [ "$(wc -l <said)" = 1 ]
tap $? "and so are switches between coroutines"
says gcc-O2/split
is "a program without jumps has neither" "" "$(cat said)"
"$ZPROF_BUILD/zprof" report --json said.zp | grep -q '"losses":{}'
tap $? "nor a repair in JSON"
finish
