#!/bin/sh
# SPDX-License-Identifier: MIT
# program-callsites.sh - with callsites=1, calls are as exact as without it, and each is on a line, however control flows.
. "${0%/*}/../lib/check.sh"

for clock in exact count; do
	check_every_way "$clock" "options=callsites=1,clock=$clock" lines=1
done
finish
