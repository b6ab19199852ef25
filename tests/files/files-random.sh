#!/bin/sh
# SPDX-License-Identifier: MIT
# files-random.sh SEEDS STEPS: random commands on a folder of profiles, beside a model of it (tests/tools/files_random.c).
. "${0%/*}/../lib/tap.sh"
n=0 seeds=${1:-4} steps=${2:-500}
while [ $n -lt "$seeds" ]; do
	n=$((n + 1))
	mkdir "seed$n"
	(cd "seed$n" && "$ZPROF_BUILD/tests/files_random" "$ZPROF_BUILD/zprof" "$ZPROF_BUILD/libzprof.so" "$ZPROF_BUILD/tests/calls" $n "$steps") >log 2>&1
	tap $? "seed $n: $(tail -1 log)" || tail -40 log | sed 's/^/# /'
	rm -r "seed$n"
done
finish
