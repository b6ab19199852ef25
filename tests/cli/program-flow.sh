#!/bin/sh
# SPDX-License-Identifier: MIT
# program-flow.sh - call counts and callers are right whatever way control takes: jumps, exceptions, frames of odd shape.
. "${0%/*}/../programs/check.sh"

check "longjmp, out of handlers too, whatever is called next" may_repair=1 jumps
check "C++ exceptions and forced unwinding" may_repair=1 exceptions
check "alloca, inlining, tail calls, noreturn: nothing to repair" tails
finish
