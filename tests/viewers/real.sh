#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles a real program for the viewers' tests: built as tests/real builds it, with every function of its source hooked.
#
#   tests/viewers/real.sh NAME PROFILE
#
# NAME is one of tests/real/programs; its first workload is run.
set -eu
cd "${0%/*}/../.."
root=$PWD name=$1 profile=$2
: "${ZPROF_BUILD:?is set by make}"
real=$ZPROF_BUILD/real
. tests/lib/build.sh
. "tests/real/programs/$name.sh"

prepare_program
hooks="$("$ZPROF_BUILD/zprof" cflags) -g1"
cc=gcc cxx=g++ level=-O2 folder=$work/gcc-O2
program=$folder/$name
mkdir -p "$folder"
exec 9>"$folder.viewing" # by one test at a time
flock 9
build "$program" >"$folder/build.log" 2>&1 || { tail -5 "$folder/build.log" >&2; exit 1; }
rm -rf "$folder/viewed" "$profile" && mkdir "$folder/viewed" && cd "$folder/viewed"
traced="env LD_PRELOAD=$ZPROF_BUILD/libzprof.so ZPROF_OPTIONS=output=$profile"
run "${workloads%% *}" "$program" >../viewed.out
