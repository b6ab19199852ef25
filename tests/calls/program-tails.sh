#!/bin/sh
# SPDX-License-Identifier: MIT
# program-tails.sh - with every call timed and a frame of its own (frame=, tails=), calls are as exact as without, however control
# flows.
. "${0%/*}/../lib/check.sh"

for clock in exact count; do
	with="options=tails=*,frame=*,history=full,clock=$clock"
	check_every_way "$clock" "$with"
	check "$clock: forks" "$with" forks
	check "$clock: handlers at 10 kHz, nested" "$with" may_repair=1 only=gcc-O2 signals normal 5
done
finish
