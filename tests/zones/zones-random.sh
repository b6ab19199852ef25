#!/bin/sh
# SPDX-License-Identifier: MIT
# zones-random.sh - a million random sequences of calls compared with a model: once always the same, once with a seed of the day.
# The seed is printed: run zones_random with it to repeat.
root=$(cd "${0%/*}/../.." && pwd)
. "${0%/*}/../lib/tap.sh"
gcc -std=gnu11 -O2 -g -finstrument-functions -I"$root" "$root/tests/zones/zones_random.c" -o zones_random || exit 1
for seed in 0x9e3779b97f4a7c15 "$(date +%s)"; do
	ZPROF_OPTIONS=output=$PWD/$seed.out LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so \
		./zones_random 1000000 "$seed" >results
	status=$?
	relay results
	[ $status = 0 ] || tap 1 "with seed $seed it ends with status 0"
done
finish
