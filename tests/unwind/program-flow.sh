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
finish
