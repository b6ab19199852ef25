#!/bin/sh
# SPDX-License-Identifier: MIT
# Prints what gprof shows for the demo program's ray-caster, to compare with `make demo`.
#
#   tests/demo/gprof.sh BUILD_DIR
#
# gprof sees functions as they are after inlining, and drops those that the optimizer cloned, so both are turned off
# here: then both tools see the same functions, and gprof is at its best.
set -eu
cd "$(dirname "$0")/../.."
dir=$PWD/${1:?usage: tests/demo/gprof.sh BUILD_DIR}/demo
mkdir -p "$dir"
${CC:-gcc} -O2 -pg -no-pie -fno-inline -fno-ipa-cp -fno-ipa-sra -fno-optimize-sibling-calls \
	tests/demo/sim.c -o "$dir/sim-gprof" -lm
cd "$dir"
unset GMON_OUT_PREFIX
./sim-gprof
gprof -b -q ./sim-gprof gmon.out | awk '
	/^index/ { print; next }
	/^----/ { if (wanted) printf "%s", block; block = ""; wanted = 0; next }
	{ block = block $0 "\n" }
	/^\[[0-9]+\].* cast_ray / { wanted = 1 }'
