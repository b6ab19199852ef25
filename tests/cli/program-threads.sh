#!/bin/sh
# SPDX-License-Identifier: MIT
# program-threads.sh - threads that return, exit, are cancelled or still run at the end; thousands of short ones.
. "${0%/*}/../programs/check.sh"

check "threads that return, exit, are cancelled, or outlive main" may_repair=1 threads_end
check "10,000 short threads leave no more than eight do" contexts=200 churn 10000
finish
