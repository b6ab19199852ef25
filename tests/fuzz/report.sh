#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs the fuzzer of the profile reader: tests/fuzz/report.sh BUILD SECONDS. What it finds is left in BUILD/fuzz.
set -eu
build=$1 seconds=$2
golden=$(dirname "$0")/../golden/report
seeds=$build/fuzz/report-seeds
mkdir -p "$seeds" "$build/fuzz/report-corpus"
make_profile=$build/tests/make_profile
"$make_profile" "$seeds/sample" <"$golden/sample.spec"
sed 's/^pid/section 3\n&/' "$golden/sample.spec" | "$make_profile" "$seeds/sections"
sed 's/^pid/flags finished\n&/' "$golden/sample.spec" | "$make_profile" "$seeds/finished"
printf 'thread 1 t 1\n  a 1 2\n    a 3 4\n      b 5 6\n' | "$make_profile" "$seeds/small"
printf 'module 1 /x 0x1000 0x2000 0x0\nthread 1 t 1\n  a 1 2\nvia @1+0x5 0x7\n    b 3 4\nvia cut @1+0x5\n' | "$make_profile" "$seeds/via"
printf "clock tsc 1000000000\nmode count\nhooks 9 8 7 6\nthread 1 t 1\n  a 1 2\n    b 3 4 folded\n  (table) 0 0 overflow\n    a 0 0 overflow\n      b 5 6 overflow\n" | "$make_profile" "$seeds/limits"
printf '\n' | "$make_profile" "$seeds/empty"
printf 'clock tsc 1000000000\nsampler 1\nflags finished offcpu\nmodule 1 /x 0x1000 0x2000 0x0\nthread 1 t 1\n  a 1 2\naway 900 200 0 0\nfor 202 0x1100 1 600 120\nfor -2 0 0 10 1\nfor 0 0 0 60 2\n' | "$make_profile" "$seeds/offcpu"
"$build/zprof" merge -o "$seeds/merged" "$seeds/sample" "$seeds/via" 2>/dev/null
# Merged files have additional sections, for parts, costs and names of functions, so one seed has a program with
# names.
echo 'static void leaf(void) {} static void twice(void) { leaf(); leaf(); } int main(void) { twice(); leaf(); return 0; }' |
	gcc -g -finstrument-functions -x c - -o "$build/fuzz/named"
rm -f "$seeds/named" "$seeds/merged-named"
ZPROF_OPTIONS=max_nodes=64,output=$seeds/named LD_PRELOAD=$build/libzprof.so "$build/fuzz/named"
"$build/zprof" merge -o "$seeds/merged-named" "$seeds/named" 2>/dev/null
# And of a program with frames and single calls: of names and of a function, with all kinds of history.
cat >"$build/fuzz/frames.c" <<'E'
#include "preload/zprof.h"
static void leaf(void) {}
static void twice(int n) { leaf(); if (n) twice(n - 1); }
static void handle(int n) { twice(n); leaf(); }
int main(void) { for (int i = 0; i < 12; i++) { handle(i % 3 + (i == 7) * 5); zprof_frame("turn"); } return 0; }
E
gcc -g -finstrument-functions -I. "$build/fuzz/frames.c" -o "$build/fuzz/frames"
for frames in history=off,frame=handle,clock=exact history=self,tails=twice,clock=exact history=full,tails=twice,frame=handle; do
	seed=$seeds/frames-$(echo "$frames" | tr -c 'a-z\n' -)
	rm -f "$seed"
	ZPROF_OPTIONS=max_nodes=64,history_bytes=64k,$frames,output=$seed LD_PRELOAD=$build/libzprof.so "$build/fuzz/frames"
done
# And of one that chooses functions while it runs.
cat >"$build/fuzz/choices.c" <<'E'
#include "preload/zprof.h"
static void leaf(void) {}
static void twice(void) { leaf(); leaf(); }
int main(void) { twice(); zprof_unwatch("leaf"); twice(); zprof_unwatch("t*"); zprof_watch("leaf /^tw/"); twice(); return 0; }
E
gcc -g -finstrument-functions -I. "$build/fuzz/choices.c" -o "$build/fuzz/choices"
rm -f "$seeds/choices"
ZPROF_OPTIONS=max_nodes=64,output=$seeds/choices LD_PRELOAD=$build/libzprof.so "$build/fuzz/choices"
for reader in choices_in_force choices_unwatched check_via check_module told_add_name take_frame frames_zones_make frames_usual_calls profile_frames_restrict; do
	"$build/fuzz/report" -runs=0 -max_len=262144 -print_coverage=1 "$seeds" 2>&1 | grep -q "^COVERED_FUNC.* $reader " ||
		{ echo "no seed reaches $reader()" >&2; exit 1; }
done
"$build/fuzz/report" -max_total_time="$seconds" -max_len=262144 -rss_limit_mb=1024 -timeout=10 \
	-print_final_stats=1 -artifact_prefix="$build/fuzz/" "$build/fuzz/report-corpus" "$seeds" 2>&1 |
	{ grep -E '^(stat::|==|SUMMARY|.*(ERROR|Test unit written|runtime error))' || true; } | tee "$build/fuzz/report.log"
! grep -qE 'SUMMARY|Test unit written' "$build/fuzz/report.log"
