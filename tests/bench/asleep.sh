#!/bin/sh
# SPDX-License-Identifier: MIT
# asleep.sh - the time of programs whose hooks are switched off, beside the same programs without hooks.
#
#   asleep.sh BUILD_DIR [ROUNDS]       ASLEEP_PROGRAMS="jsoncpp sqlite" when not given
#
# sqlite and jsoncpp, from Debian's sources. All variants run in turn, ROUNDS times; the least CPU time of each counts. Their
# output must be the same. With -finstrument-functions the program prepares arguments even for hooks that are off, so one more
# build has a nop for each call of a hook.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
build=$(cd "${1:?usage: asleep.sh BUILD_DIR [ROUNDS]}" && pwd) || exit 2
rounds=${2:-15}
real=$build/bench/source
zprof=$build/zprof
export LD_LIBRARY_PATH="$build"
unset ZPROF_RUN ZPROF_OPTIONS
. tests/real/build.sh
scratch=$(mktemp -d "$build/bench/asleep-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$real"
cc=gcc cxx=g++ level=-O2 traced='' reversed=''

# The same file with nops in place of the calls, and with a return in place of a jump to a hook.
nop_out() { # PROGRAM TO
	cp "$1" "$2"
	section=$(readelf -SW "$1" | sed -n 's/.* \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p')
	objdump -d -j .text "$1" | SECTION=$section perl -e '
		my ($address, $offset) = map { hex } split " ", $ENV{SECTION};
		open my $file, "+<", $ARGV[0] or die;
		while (<STDIN>) {
			next unless /^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+).*(call|jmp) .*<__cyg_profile_func_(?:enter|exit)@/;
			my ($at, $bytes, $how) = (hex $1, scalar(split " ", $2), $3);
			seek $file, $at - $address + $offset, 0;
			print $file $how eq "jmp" ? "\xc3" : $bytes == 5 ? "\x0f\x1f\x44\0\0" : "\x66\x0f\x1f\x44\0\0";
		}' "$2"
}

cpu_ms() { # VARIANT PROGRAM OPTIONS: one run, its CPU time
	rm -rf "$scratch/run" && mkdir "$scratch/run"
	(cd "$scratch/run" && {
		[ -z "$3" ] || export ZPROF_OPTIONS="$3"
		run "$workloads" "$2" >"$scratch/out.$1" 2>"$scratch/err.$1"
		times
	}) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d\n", 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) }'
}

measure() { # NAME
	name=$1 package='' workloads=''
	unset -f prepare
	. "tests/real/programs/$name.sh"
	prepare_program || exit 1
	for how in plain fentry hooks; do
		case $how in
		plain) hooks= ;;
		fentry) hooks=$("$zprof" cflags --fentry) ;;
		hooks) hooks=-finstrument-functions ;;
		esac
		mkdir -p "$work/asleep-$how"
		build "$work/asleep-$how/program" || exit 1
		cp "$work/asleep-$how/program" "$scratch/$how"
	done
	for how in fentry hooks; do
		cp "$scratch/$how" "$scratch/$how.asleep"
		"$zprof" sleep "$scratch/$how.asleep" || exit 1
	done
	nop_out "$scratch/hooks" "$scratch/hooks.nops"
	for how in plain fentry hooks fentry.asleep hooks.asleep hooks.nops fentry.off; do : >"$scratch/times.$how"; done
	i=0
	while [ $i -lt "$rounds" ]; do
		for how in plain fentry hooks fentry.asleep hooks.asleep hooks.nops; do
			cpu_ms "$how" "$scratch/$how" '' >>"$scratch/times.$how"
		done
		cpu_ms fentry.off "$scratch/fentry" "start=off,output=$scratch/run/profile" >>"$scratch/times.fentry.off"
		i=$((i + 1))
	done
	for how in fentry hooks fentry.asleep hooks.asleep hooks.nops fentry.off; do
		cmp -s "$scratch/out.plain" "$scratch/out.$how" || echo "$name: with $how it prints something different"
	done
	least=$(sort -n "$scratch/times.plain" | head -1)
	printf '%s: plain %d ms\n' "$name" "$least"
	for row in "fentry|hooks return at once (-mfentry)" "fentry.asleep|zprof sleep (-mfentry)" "fentry.off|start=off (-mfentry)" \
		"hooks|empty hooks (-finstrument-functions)" "hooks.asleep|zprof sleep (-finstrument-functions)" "hooks.nops|nops for calls (-finstrument-functions)"; do
		sort -n "$scratch/times.${row%%|*}" | head -1 | awk -v plain="$least" -v what="${row#*|}" '{ printf "  %-44s %5.2f times\n", what, $1 / plain }'
	done
}

for program in ${ASLEEP_PROGRAMS:-jsoncpp sqlite}; do (measure "$program") || exit 1; done
