#!/bin/sh
# SPDX-License-Identifier: MIT
# program-long.sh - what takes too long for everyday use: a million deep, a million contexts in every build, 10 million calls in
# each.
. "${0%/*}/../lib/check.sh"

check "recursion 1,000,000 deep" deep 1000000
check "a million contexts" contexts
check "two threads, 5 million calls each" threads
check "100,000 short threads" contexts=200 churn 100000
finish
