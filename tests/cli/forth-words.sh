#!/bin/sh
# SPDX-License-Identifier: MIT
# The kernel's words, tested by the Forth itself: tests/forth/kernel.fth prints TAP.
here=$(cd "$(dirname "$0")/../.." && pwd)
exec "$ZPROF_BUILD/vm-6502" -I "$here/tests/forth" tester.fth kernel.fth
