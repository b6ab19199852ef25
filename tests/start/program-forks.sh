#!/bin/sh
# SPDX-License-Identifier: MIT
# program-forks.sh - each process of a program has its own profile, nothing is counted twice, and a process that entered no
# function leaves none.
. "${0%/*}/../lib/check.sh"

for how in fork _Fork clone thread vfork spawn exec daemon; do
	check "$how" forks $how
done
check "many forks, half of which exec at once" only=gcc-O2 forks many "${FORKS:-100}"
finish
