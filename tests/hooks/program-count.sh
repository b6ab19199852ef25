#!/bin/sh
# SPDX-License-Identifier: MIT
# program-count.sh - clock=count: counts are as exact as when every call is timed.
. "${0%/*}/../lib/check.sh"

check "clock=count: a chain of calls" options=clock=count chain
check "clock=count: two threads, 5 million calls each" only=gcc-O2 options=clock=count threads
check "clock=count: longjmp, out of handlers too" only='*-O2' may_repair=1 options=clock=count jumps
check "clock=count: C++ exceptions" only='*-O2' may_repair=1 options=clock=count exceptions
check "clock=count: signals at 10 kHz, nested" only='*-O2' may_repair=1 options=clock=count signals normal 3
check "clock=count: a handler after every instruction of the hooks" only=gcc-O2 may_repair=1 options=clock=count steps 1
check "clock=count: coroutines" only='*-O2' may_repair=1 options=clock=count stacks
check "clock=count: fork" only='*-O2' options=clock=count forks fork
check "clock=count: recursion 100,000 deep" only='*-O2' options=clock=count deep
check "clock=count: no more contexts" only=gcc-O2 contexts=2000 options=clock=count,max_nodes=2000 bounded diamonds 5000
finish
