#!/bin/sh
# SPDX-License-Identifier: MIT
# program-deaths.sh - however a process ends, its profile can be read and is complete.
. "${0%/*}/../lib/check.sh"

check "exit from deep inside, with an exit handler and a destructor" status=3 deaths exit
check "quick_exit" status=3 deaths quick_exit
check "_exit" status=3 deaths _exit
check "abort" status=134 deaths abort
check "a crash" status=139 deaths segv
check "an untouched signal" status=143 deaths term
check "killed from outside at a random moment" killed=1 deaths kill "${KILLS:-15}"
finish
