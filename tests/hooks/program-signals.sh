#!/bin/sh
# SPDX-License-Identifier: MIT
# program-signals.sh - instrumented signal handlers are all counted, whatever they interrupt.
. "${0%/*}/../lib/check.sh"

tenths=${TENTHS:-5}
check "handlers at 10 kHz, nested" may_repair=1 signals normal "$tenths"
check "handlers at 10 kHz on an alternate stack, nested" may_repair=1 signals alternate "$tenths"
check "a handler after every instruction of the hooks" may_repair=1 steps 1
check "a handler after every 7th instruction of the hooks" only='*-O2' may_repair=1 steps 7
check "a handler in each instruction of the first hook in a handler" only=gcc-O2 may_repair=1 steps_nested "${STRIDE:-1}"
check "a handler in each instruction of the hook that replaces a ring, while signals are blocked" may_repair=1 steps 1 replaced
finish
