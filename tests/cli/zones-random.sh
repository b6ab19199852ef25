#!/bin/sh
# SPDX-License-Identifier: MIT
# zones-random.sh - a million random sequences of calls compared with a model: once always the same, once with a seed of the day.
# The seed is printed: run zones_random with it to repeat.
root=$(cd "${0%/*}/../.." && pwd)
number=0
gcc -std=gnu11 -O2 -g -finstrument-functions -I"$root" "$root/tests/programs/zones_random.c" -o zones_random || exit 1
for seed in 0x9e3779b97f4a7c15 "$(date +%s)"; do
	number=$((number + 1))
	ZPROF_OPTIONS=output=$PWD/$seed.out LD_PRELOAD=$ZPROF_BUILD/tests/libzprof-fake.so \
		./zones_random 1000000 "$seed" | sed "s/^\(not \)*ok 1/\1ok $number/; /^1\.\.1/d"
done
echo "1..$number"
