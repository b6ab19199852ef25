#!/bin/sh
# SPDX-License-Identifier: MIT
# program-carved.sh - stacks side by side in one block, which only the program can tell apart (zprof_stack).
. "${0%/*}/../programs/check.sh"

check "a hand-written switch on stacks carved from one block" may_repair=1 stacks carved
finish
