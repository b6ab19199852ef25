#!/bin/sh
# SPDX-License-Identifier: MIT
# program-destructors.sh - destructors of thread-specific data are outermost, wherever the thread ended.
. "${0%/*}/../lib/check.sh"

check "destructors after pthread_exit and pthread_cancel" may_repair=1 threads_end destructors
finish
