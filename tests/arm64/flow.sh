#!/bin/sh
# SPDX-License-Identifier: MIT
# flow.sh - on arm64, counts equal the program's own in programs that jump, throw, and end their threads: run by tests/arm64/run.sh. (gcc
# alone has __builtin_longjmp there, which `jumps` needs.)
. "${0%/*}/../lib/check.sh"

check "longjmp, out of handlers too, whatever is called next" only='gcc-*' may_repair=1 jumps
check "recursion inlined into itself, and left by jumps" may_repair=1 inlined
check "functions split by the compiler: nothing to repair" split
check "exceptions and forced unwinding" may_repair=1 exceptions
check "alloca, inlining, tail calls, noreturn: nothing to repair" tails
check "threads that return, exit, are cancelled, or outlive main" may_repair=1 threads_end
check "clock=count: longjmp, out of handlers too" only=gcc-O2 may_repair=1 options=clock=count jumps
check "clock=count: exceptions" only='*-O2' may_repair=1 options=clock=count exceptions
finish
