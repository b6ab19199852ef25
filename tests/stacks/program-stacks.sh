#!/bin/sh
# SPDX-License-Identifier: MIT
# program-stacks.sh - each stack of a program has its own zone stack, however it is switched to.
. "${0%/*}/../lib/check.sh"

check "contexts (swapcontext)" may_repair=1 stacks contexts
check "a hand-written switch between mapped stacks" may_repair=1 stacks assembly
check "a hand-written switch on stacks carved from one block (zprof_stack)" may_repair=1 stacks carved
check "stacks abandoned and used again" may_repair=1 stacks abandoned
check "a stack that goes on in other threads" may_repair=1 stacks migrating
check "ten thousand contexts, side by side" may_repair=1 stacks many
check "stacks that are arrays in frames, side by side and one in another's" may_repair=1 stacks arrays
check "stacks of many threads that cannot be told apart" may_repair=1 stacks untold
check "C++20 coroutines: nothing to repair" only='gcc-*' coroutines20
finish
