#!/bin/sh
# SPDX-License-Identifier: MIT
# program-callsites.sh - with callsites=1, calls are as exact as without it, and each is on a line, however control flows.
. "${0%/*}/../programs/check.sh"

for clock in exact count; do
	with="options=callsites=1,clock=$clock lines=1"
	# shellcheck disable=SC2086
	{
		check "$clock: calls from main" $with diamond
		check "$clock: recursion" $with recurse
		check "$clock: longjmp, out of handlers too, whatever is called next" $with may_repair=1 jumps
		check "$clock: recursion inlined into itself, and left by jumps" $with may_repair=1 inlined
		check "$clock: functions split by the compiler" $with split
		check "$clock: exceptions and forced unwinding" $with may_repair=1 exceptions
		check "$clock: alloca, inlining, tail calls, noreturn" $with tails
		check "$clock: threads that return, exit, are cancelled, or outlive main" $with may_repair=1 threads_end
		check "$clock: contexts (swapcontext)" $with may_repair=1 stacks contexts
	}
done
finish
