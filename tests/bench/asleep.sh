#!/bin/sh
# SPDX-License-Identifier: MIT
# asleep.sh - the time of programs whose hooks are switched off, beside the same programs without hooks, and beside LLVM's XRay and
# uftrace -P, which switch hooks, too.
#
#   asleep.sh BUILD_DIR [ROUNDS]       ASLEEP_PROGRAMS="jsoncpp sqlite ninja" when not given
#
# First a function that does nothing, and recursive Fibonacci: nanoseconds of a call beside one without hooks. Then programs from
# Debian's sources, at work for a second or so. All variants run in turn, ROUNDS times; the least CPU time of each counts. Their output
# must be the same. With -finstrument-functions the program prepares arguments even for hooks that are off, so one more build has a nop
# for each call of a hook. XRay's variants are compared with the same program from clang.
#
# only= asks the command zprof for the function's addresses, once: that is measured by a run that does nothing else, taken off, and
# printed beside.
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
build=$(cd "${1:?usage: asleep.sh BUILD_DIR [ROUNDS]}" && pwd) || exit 2
rounds=${2:-5}
real=$build/bench/source
zprof=$build/zprof
export LD_LIBRARY_PATH="$build"
unset ZPROF_RUN ZPROF_OPTIONS XRAY_OPTIONS
. tests/lib/build.sh
scratch=$(mktemp -d "$build/bench/asleep-XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$real"
level=-O2 traced='' reversed=''
xray_flags="-fxray-instrument -fxray-instruction-threshold=1"
has() { command -v "$1" >/dev/null 2>&1; }
has clang++ || echo "no clang: XRay is left out"
has uftrace || echo "no uftrace: it is left out"

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

# ---- which build, and how it is run

# One variant each: NAME BUILD BASE what it is. NAME.KIND is how it is run, and of what file.
variants() {
	cat <<END
fentry fentry plain hooks return at once (-mfentry)
fentry.asleep fentry plain zprof sleep (-mfentry)
fentry.off fentry plain start=off (-mfentry)
fentry.only fentry plain only=one function (-mfentry)
hooks hooks plain empty hooks (-finstrument-functions)
hooks.asleep hooks plain zprof sleep (-finstrument-functions)
hooks.nops hooks plain nops for calls (-finstrument-functions)
END
	! has clang++ || cat <<END
xray xray clang XRay, not patched
xray.patched xray clang XRay, patched, no handler
END
	! has clang++ || ! has uftrace || echo "xray.uftrace xray clang uftrace record -P one function (by XRay's sleds)"
}
builds() { echo plain; ! has clang++ || echo clang; variants | awk '!seen[$2]++ {print $2}'; }
compilers() { # BUILD: sets cc, cxx and hooks
	cc=gcc cxx=g++ hooks=
	case $1 in
	fentry) hooks=$("$zprof" cflags --fentry) ;;
	hooks) hooks=-finstrument-functions ;;
	clang) cc=clang cxx=clang++ ;;
	xray) cc=clang cxx=clang++ hooks=$xray_flags ;;
	esac
}
file_of() { # VARIANT
	case $1 in
	*.asleep | *.nops) echo "$scratch/$1" ;;
	*) echo "$scratch/${1%%.*}" ;;
	esac
}
derive_files() {
	for how in fentry hooks; do
		cp "$scratch/$how" "$scratch/$how.asleep"
		"$zprof" sleep "$scratch/$how.asleep" 2>"$scratch/slept" || { cat "$scratch/slept" >&2; exit 1; }
	done
	nop_out "$scratch/hooks" "$scratch/hooks.nops"
}
# Runs it, with its file as the first argument of COMMAND.
as_variant() { # VARIANT FUNCTION COMMAND...
	variant=$1 function=$2
	shift 2
	case $variant in
	*.off) export ZPROF_OPTIONS="start=off,output=$scratch/run/profile" ;;
	*.only) export ZPROF_OPTIONS="only=$function,output=$scratch/run/profile" ;;
	xray.patched) export XRAY_OPTIONS=patch_premain=true ;;
	xray.uftrace) traced="uftrace record --no-event --no-libcall --no-pager -P ^$function\$ -d $scratch/run/data" ;;
	esac
	"$@" "$(file_of "$variant")"
}

# ---- a call

per_call() { # WORKLOAD
	for how in $(builds); do
		compilers $how
		# shellcheck disable=SC2086
		{ $cc -std=gnu11 -O2 -w $hooks -I. -c "tests/bench/work_$1.c" -o "$scratch/$how.o" &&
			$cc -std=gnu11 -O2 -w -I. -c tests/bench/work_main.c -o "$scratch/main.o" &&
			$cc ${hooks:+$hooks} "$scratch/$how.o" "$scratch/main.o" -o "$scratch/$how" -pthread; } || exit 1
	done
	derive_files
	called() { $traced "$1" 9 1000000 </dev/null 2>/dev/null | sed -n 's/.* least_ns \([0-9]*\) .*/\1/p'; }
	i=0
	while [ $i -lt "$rounds" ]; do
		for how in plain clang $(variants | cut -d ' ' -f 1); do
			[ "$how" != clang ] || has clang++ || continue
			rm -rf "$scratch/run" && mkdir "$scratch/run"
			(as_variant "$how" "$1" called) >>"$scratch/times.$1.$how"
		done
		i=$((i + 1))
	done
	echo "$1: nanoseconds of a call beside one without hooks"
	variants | while read -r how _ base what; do
		printf '  %-52s %7.2f\n' "$what" "$(awk -v a="$(least "$1.$how")" -v b="$(least "$1.$base")" 'BEGIN {print (a - b) / 1000000}')"
	done
}
least() { sort -n "$scratch/times.$1" | head -1; }

# ---- a program

# For a second or so: what `run` does, many times over.
at_work() { # PROGRAM
	case $name in
	jsoncpp) $traced "$1" 240 ;;
	sqlite)
		for i in 1 2 3 4; do
			echo ".open new$i.db"
			cat "$root/tests/real/programs/sqlite.sql"
		done | $traced "$1" -batch
		;;
	ninja) $traced "$1" -f "$scratch/many.ninja" -n -v ;;
	esac
}
idle() { # PROGRAM: nothing but its start
	case $name in
	jsoncpp) "$1" 0 ;;
	sqlite) echo | "$1" -batch ;;
	ninja) "$1" --version ;;
	esac
}
more_work() {
	[ "$name" = ninja ] || return 0
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		sed "s|out/|out$i/|g; s|\.\./\.\./|$work/|g" "$work/build.ninja" >"$scratch/part$i.ninja"
		echo "subninja $scratch/part$i.ninja"
	done >"$scratch/many.ninja"
}
function_of() {
	case $name in
	jsoncpp) echo "Json::OurReader::readValue*" ;;
	sqlite) echo sqlite3VdbeExec ;;
	ninja) echo "Plan::AddSubTarget*" ;;
	esac
}

cpu_ms() { # VARIANT WORK: one run, its CPU time
	rm -rf "$scratch/run" && mkdir "$scratch/run"
	(cd "$scratch/run" && {
		as_variant "$1" "$(function_of)" "$2" >"$scratch/out.$1" 2>"$scratch/err.$1"
		times
	}) | awk 'NR == 2 { split($1, u, /[ms]/); split($2, s, /[ms]/); printf "%d\n", 1000 * (60 * (u[1] + s[1]) + u[2] + s[2]) }'
}

measure() { # NAME
	name=$1 package='' workloads=''
	unset -f prepare
	. "tests/real/programs/$name.sh"
	prepare_program || exit 1
	more_work
	for how in $(builds); do
		compilers $how
		mkdir -p "$work/asleep-$how"
		build "$work/asleep-$how/program" || exit 1
		cp "$work/asleep-$how/program" "$scratch/$how"
	done
	derive_files
	i=0
	while [ $i -lt "$rounds" ]; do
		for how in plain clang $(variants | cut -d ' ' -f 1); do
			[ "$how" != clang ] || has clang++ || continue
			cpu_ms "$how" at_work >>"$scratch/times.$name.$how"
			[ "$how" != fentry.only ] || calls=$("$zprof" report --json "$scratch/run/profile" | grep -o '"calls": *[0-9]*' | head -1 | tr -dc 0-9)
			cmp -s "$scratch/out.plain" "$scratch/out.$how" || echo "$name: with $how it prints something else"
		done
		cpu_ms fentry.off idle >>"$scratch/times.$name.idle"
		cpu_ms fentry.only idle >>"$scratch/times.$name.asked"
		i=$((i + 1))
	done
	asked=$(($(least "$name.asked") - $(least "$name.idle")))
	printf '%s: plain %d ms; to look up one function takes %d ms, once; it is called %d times\n' "$name" "$(least "$name.plain")" "$asked" "${calls:-0}"
	variants | while read -r how _ base what; do
		off=0
		[ "$how" != fentry.only ] || off=$asked
		printf '  %-52s %7.2f times\n' "$what" "$(awk -v a="$(least "$name.$how")" -v b="$(least "$name.$base")" -v off=$off 'BEGIN {print (a - off) / b}')"
	done
}

for work in leaf fib; do (per_call $work) || exit 1; done
for program in ${ASLEEP_PROGRAMS:-jsoncpp sqlite ninja}; do (measure "$program") || exit 1; done
