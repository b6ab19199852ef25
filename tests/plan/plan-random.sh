#!/bin/sh
# SPDX-License-Identifier: MIT
# plan-random.sh [N]: N libraries of 1,500 random functions each run step by step, and no step leads into the middle of what the plan
# displaces (plan_random.c).
. "${0%/*}/../lib/tap.sh"
cd "$TEST_TMP" || exit 2
random=$ZPROF_BUILD/tests/plan_random

seed=0
while [ $seed -lt "${1:-2}" ]; do
	seed=$((seed + 1))
	"$random" make $seed 1500 >random.s && gcc -shared -nostdlib -o random.so random.s || exit 2
	"$random" run ./random.so >said
	tap $? "seed $seed: $(tail -1 said)" || sed 's/^/# /' said
	# Less would prove nothing.
	tail -1 said | awk '{ exit !($5 > 200 && $10 > 500) }'
	tap $? "seed $seed: functions are displaced, and windows are run through"
done
finish
