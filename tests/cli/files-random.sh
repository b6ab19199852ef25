#!/bin/sh
# SPDX-License-Identifier: MIT
# files-random.sh SEEDS STEPS: random commands on a folder of profiles, beside a model of it (tests/tools/files_random.c).
n=0 seeds=${1:-4} steps=${2:-500}
echo "1..$seeds"
while [ $n -lt "$seeds" ]; do
	n=$((n + 1))
	mkdir "seed$n"
	if (cd "seed$n" && "$ZPROF_BUILD/tests/files_random" "$ZPROF_BUILD/zprof" "$ZPROF_BUILD/libzprof.so" "$ZPROF_BUILD/tests/calls" $n "$steps") >log 2>&1; then
		echo "ok $n - seed $n: $(tail -1 log)"
	else
		echo "not ok $n - seed $n"
		tail -40 log | sed 's/^/# /'
	fi
	rm -r "seed$n"
done
