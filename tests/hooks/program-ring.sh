#!/bin/sh
# SPDX-License-Identifier: MIT
# program-ring.sh - a hook replaces its thread's ring, and a handler jumps out of it at each instruction.
. "${0%/*}/../lib/check.sh"

check "a handler jumps out of the hook that replaces a ring" only=gcc-O2 may_repair=1 steps_ring "${RING_THREADS:-120}"
finish
