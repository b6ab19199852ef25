#!/bin/sh
# SPDX-License-Identifier: MIT
# program-counts.sh - call counts equal the program's own, in programs that only call and return.
. "${0%/*}/../lib/check.sh"

check "a chain of calls" chain
check "two callers share a function" diamond
check "direct recursion" recurse
check "mutual recursion, entered anywhere" mutual
check "one caller of 500 functions" fan
check "two static functions with the same name are kept apart" statics
check "a shared library and its callback" shared
check "C++: virtual calls, constructors, templates" virtual
check "recursion 100,000 deep" deep
check "two threads, 5 million calls each" only='*-O2' threads
check "a million contexts" only=gcc-O2 contexts
check "ten thousand contexts" contexts 4
finish
