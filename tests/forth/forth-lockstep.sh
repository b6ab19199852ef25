#!/bin/sh
# SPDX-License-Identifier: MIT
# NEXT and the primitives run natively do what their machine code does, to the cycle; see tests/vm-6502/forth_lockstep.c.
here=$(cd "$(dirname "$0")/../.." && pwd)
exec "$ZPROF_BUILD/tests/vm-6502/forth_lockstep" "$ZPROF_BUILD/forth.img" "$here/tests/forth" all-native.fth patched.fth \
	kernel.fth standard.fth system.fth profiler.fth bench-dupdrop.fth bench-fib.fth bench-sieve.fth
