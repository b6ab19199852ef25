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
"$build/zprof" merge -o "$seeds/merged" "$seeds/sample" "$seeds/via" 2>/dev/null
# Merged files have sections of their own, for parts, costs and the names of functions: of a program with names, too.
echo 'static void leaf(void) {} static void twice(void) { leaf(); leaf(); } int main(void) { twice(); leaf(); return 0; }' |
	gcc -g -finstrument-functions -x c - -o "$build/fuzz/named"
rm -f "$seeds/named" "$seeds/merged-named"
ZPROF_OPTIONS=max_nodes=64,output=$seeds/named LD_PRELOAD=$build/libzprof.so "$build/fuzz/named"
"$build/zprof" merge -o "$seeds/merged-named" "$seeds/named" 2>/dev/null
for reader in read_part read_name; do
	"$build/fuzz/report" -runs=0 -print_coverage=1 "$seeds" 2>&1 | grep -q "^COVERED_FUNC.* $reader " ||
		{ echo "no seed reaches $reader()" >&2; exit 1; }
done
"$build/fuzz/report" -max_total_time="$seconds" -max_len=65536 -rss_limit_mb=1024 -timeout=10 \
	-print_final_stats=1 -artifact_prefix="$build/fuzz/" "$build/fuzz/report-corpus" "$seeds" 2>&1 |
	{ grep -E '^(stat::|==|SUMMARY|.*(ERROR|Test unit written|runtime error))' || true; } | tee "$build/fuzz/report.log"
! grep -qE 'SUMMARY|Test unit written' "$build/fuzz/report.log"
