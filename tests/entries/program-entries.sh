#!/bin/sh
# SPDX-License-Identifier: MIT
# program-entries.sh - programs whose functions call a hook as they begin and none as they end (preload/entries/entries.h): the counts
# equal the program's own, whatever way control takes.
. "${0%/*}/../lib/check.sh"
variants="gcc-entries clang-entries"

check "a chain of calls" chain
check "two callers share a function" diamond
check "direct recursion, folded" recurse
check "direct recursion, not folded" options=recursion=0 recurse
check "mutual recursion, entered anywhere" mutual
check "one caller of 500 functions" fan
check "C++: virtual calls, constructors, templates" virtual
check "recursion 100,000 deep" deep
check "recursion 100,000 deep, not folded" options=recursion=0 deep
check "two threads, 5 million calls each" threads
check "ten thousand contexts" contexts 4
check "longjmp, out of handlers too, whatever is called next" may_repair=1 jumps
check "recursion left by jumps" may_repair=1 inlined
check "C++ exceptions and forced unwinding" may_repair=1 exceptions
check "functions split by the compiler" split
check "alloca, inlining, tail calls, noreturn" tails
check "handlers at 10 kHz, nested" may_repair=1 signals normal 3
check "handlers at 10 kHz on an alternate stack, nested" may_repair=1 signals alternate 3
check "a handler after every 3rd instruction of the hooks" only=gcc-entries may_repair=1 steps 3
check "contexts (swapcontext)" may_repair=1 stacks contexts
check "a hand-written switch between mapped stacks" may_repair=1 stacks assembly
check "stacks abandoned and used again" may_repair=1 stacks abandoned
check "a stack that goes on in other threads" may_repair=1 stacks migrating
check "fork" forks fork
check "two plugins, one after the other, at one address" dl
check "_exit" status=3 deaths _exit
check "killed from outside at a random moment" killed=1 deaths kill 5
check "no more contexts than 2,000" contexts=2000 options=max_nodes=2000 bounded diamonds 5000
ZPROF_OPTIONS=output=profile LD_PRELOAD=$ZPROF_BUILD/libzprof.so "$ZPROF_BUILD/tests/programs/gcc-entries/chain" >/dev/null &&
	"$ZPROF_BUILD/zprof" info profile | grep -q "a call costs .* for an entry, of which .* to call the hook"
tap $? "the price of an entry alone is in the profile"
finish
