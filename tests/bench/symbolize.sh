#!/bin/sh
# SPDX-License-Identifier: MIT
# Names addresses of a program of over 100 MB with debug information, and compares the time with
# that of `eu-addr2line -f -i` for the same addresses: at most three times as long, however few or
# many they are. Prints the memory as well: it must grow with the addresses asked for, not with the
# program.
#
#   tests/bench/symbolize.sh BUILD_DIR        (make bench-symbolize)
#
# The program is generated, compiled once (some minutes) and left in the build folder; FILE=… takes
# another one. It is asked a second time without .debug_aranges, as clang makes programs: elfutils'
# addr2line finds nothing then, so its time with .debug_aranges is the measure.
set -eu
compile_only=
[ "${1:-}" = --compile ] && compile_only=$2 && shift 2
build=${1:?usage: tests/bench/symbolize.sh BUILD_DIR}
dir=$build/bench/symbolize
print=$build/tests/symbolize_print
file=${FILE:-$dir/program}
parts=100
mkdir -p "$dir"

# One source file of many functions, with types and inlined calls: the files differ in their names.
generate() { # NUMBER
	awk -v n="$1" 'BEGIN {
		print "#include <algorithm>\n#include <functional>\n#include <map>\n#include <memory>\n#include <string>\n#include <vector>"
		printf "namespace part%d {\n", n
		print "static inline __attribute__((always_inline)) long mix(long a, long b) { return a * 31 + (b ^ a >> 3); }"
		for (i = 0; i < 12; i++) {
			printf "struct item%d { long key, value; std::string name; long weigh(long w) const { return mix(key, w) + mix(value, w); } };\n", i
			printf "long step%d(std::vector<item%d> &v, std::map<std::string, long> &m, long w)\n{\n", i, i
			printf "\tstd::sort(v.begin(), v.end(), [](const item%d &a, const item%d &b) { return a.key < b.key; });\n", i, i
			print "\tlong sum = 0;\n\tfor (const auto &x : v)\n\t\tsum += x.weigh(w) + m[x.name];\n\treturn mix(sum, w);\n}"
		}
		print "}"
	}'
}

if [ "$compile_only" ]; then
	part=$dir/part$compile_only
	generate "$compile_only" >"$part.cc"
	g++ -g -O1 -c "$part.cc" -o "$part.o.new"
	rm "$part.cc"
	mv "$part.o.new" "$part.o"
	exit
fi

numbers() { # COUNT
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print i }'
}

if [ ! -f "$file" ]; then
	numbers $parts | while read -r n; do
		[ -f "$dir/part$n.o" ] || echo "$n"
	done | xargs -P "$(nproc)" -I N "$0" --compile N "$build"
	echo 'int main() { return 0; }' >"$dir/main.cc"
	# shellcheck disable=SC2046
	g++ -g -O1 "$dir/main.cc" $(numbers $parts | sed "s,.*,$dir/part&.o,") -o "$file"
fi
bare=$dir/without_aranges
objcopy --remove-section .debug_aranges "$file" "$bare"

# Addresses inside functions all over the program.
nm -S --defined-only "$file" | awk '$3 ~ /^[tTwW]$/ { print $1, $2 }' |
	shuf --random-source="$file" | head -10000 |
	while read -r start size; do printf '%#x\n' $((0x$start + 0x$size / 2)); done >"$dir/addresses"

best=
measure() { # TRIES COMMAND... (leaves the microseconds of the best try in $best)
	tries=$1 best=
	shift
	for _ in $(numbers "$tries"); do
		from=$(date +%s%N)
		"$@" <"$dir/some" >"$dir/answer"
		took=$((($(date +%s%N) - from) / 1000))
		if [ -z "$best" ] || [ $took -lt $best ]; then best=$took; fi
	done
}

printf '%s: %d MB\n\n' "$file" $(($(stat -c %s "$file") / 1000000))
printf '%10s %14s %10s %7s %22s %10s\n' addresses eu-addr2line here times 'without .debug_aranges' peak
slow=0
for n in 1 10 100 1000 10000; do
	head -$n "$dir/addresses" >"$dir/some"
	n=$(wc -l <"$dir/some")
	tries=$((n <= 100 ? 3 : 1))
	measure $tries eu-addr2line -f -i -e "$file"
	theirs=$best
	measure $tries "$print" "$file"
	ours=$best
	measure $tries "$print" "$bare"
	peak=$("$print" -m "$file" <"$dir/some" 2>&1 >"$dir/answer")
	echo "$n $theirs $ours $best $peak" | awk '{ printf "%10d %11.1f ms %7.1f ms %7.2f %19.1f ms %7.1f MB\n", $1, $2 / 1e3, $3 / 1e3, $3 / $2, $4 / 1e3, $5 / 1e3 }'
	[ $ours -le $((3 * theirs)) ] && [ "$best" -le $((3 * theirs)) ] || slow=1
done
rm -f "$dir/some" "$dir/answer"
[ $slow = 0 ] || { echo "over three times the time of eu-addr2line" >&2; exit 1; }
