#!/bin/sh
# SPDX-License-Identifier: MIT
# program.sh - compares profiles of a real program, built as its authors build it, with what a plain counter counts.
#
#   tests/real/program.sh NAME [BUILD...]
#
# What the program is, how it is built and what it does is in programs/NAME.sh:
#
#   package, workloads       Debian's source package; the names of what the program does, the same each time
#   clang_hooks              the HOOKS that clang can build it with, where not all
#   builds                   COMPILER:HOOKS of its builds without REAL_FULL, where not those of most programs
#   prepare                  what is done once, in $work (may be left out)
#   build OUTPUT             calls compile_c or compile_cxx: FLAGS OUTPUT SOURCE... [-lLIBRARY...]
#   run WORKLOAD PROGRAM     in an empty folder; starts the program by $traced. What it prints is compared
#
# A BUILD is COMPILER:LEVEL:HOOKS, where HOOKS is an option of `zprof cflags`, or empty. Without any it is gcc's hooks and
# clang's at -O2, as the program's file says; with REAL_FULL=1 all kinds of both compilers at -O1, -O2, -O3 and -Os. For each build and workload, with
# clock=exact (but for --entries, which cannot) and clock=count:
#
#   the program prints the same with the library as without
#   each function called each other as often as count.c or count_entries.c says, which shares no code with the library the
#   sums hold to the tick, nothing was lost, and nothing had to be repaired
cd "${0%/*}/../.." || exit 2
. tests/lib/callgrind.sh
. tests/lib/build.sh
root=$(pwd) name=${1:?usage: program.sh NAME [BUILD...]}
shift
unset ZPROF_OPTIONS LD_PRELOAD
clang_hooks='' builds=''
. "tests/real/programs/$name.sh"

# Runs the workload; its output is in $folder/NAME and $folder/NAME.errors.
run_as() { # NAME VARIABLE=VALUE...
	out=$folder/$1
	shift
	traced="setarch -R env $*"
	rm -rf "$folder/run" && mkdir "$folder/run" && (cd "$folder/run" && run "$workload" "$program") >"$out" 2>"$out.errors"
}

same_output() { # NAME
	cmp "$folder/plain" "$folder/$1" && cmp "$folder/plain.errors" "$folder/$1.errors"
}

# From `CALLER CALLEE CALLS TRUTH`, addresses, to names.
name_differences() {
	head -20 | while read -r caller callee calls truth; do
		names=$(addr2line -fs -e "$program" "0x$caller" "0x$callee" | paste -s -d ' ')
		echo "$caller -> $callee: $calls calls, counted $truth ($names)"
	done
}

check_profile() { # CLOCK
	profile=$folder/$1.profile
	rm -f "$profile"
	run_as "$1" "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "ZPROF_OPTIONS=clock=$1,output=$profile" && same_output "$1"
	tap $? "$what prints the same with clock=$1 as without the library"
	"$ZPROF_BUILD/tests/check_arcs" "$profile" "$folder/counts" >"$folder/arcs"
	status=$?
	tap $status "$what: clock=$1 counts each of $(if [ $status = 0 ]; then cat "$folder/arcs"; else echo "its calls"; fi)"
	[ $status = 0 ] || name_differences <"$folder/arcs"
	"$ZPROF_BUILD/zprof" graph --json "$profile" >"$folder/json"
	"$ZPROF_BUILD/tests/check_laws" <"$folder/json" && "$ZPROF_BUILD/tests/check_conserved" "$profile"
	tap $? "$what: with clock=$1 the sums hold to the tick, nothing is lost or repaired"
}

# Lines `PART FUNCTION`, of addresses: which function gcc's and clang's parts of functions belong to, by their names.
parts_of() {
	nm "$1" | awk '{ at[$3] = $1 }
		$3 ~ /\.cold/ { whole = $3; sub(/\.cold.*/, "", whole); part[$1] = whole }
		END { for (p in part) if (part[p] in at) print p, at[part[p]] }'
}

check_build() { # COMPILER LEVEL HOOKS
	level=$2 folder=$work/$1$2$3 program=$work/$1$2$3/$name
	case $1 in gcc) cc=gcc cxx=g++ ;; clang) cc=clang cxx=clang++ ;; esac
	# shellcheck disable=SC2086
	hooks=$("$ZPROF_BUILD/zprof" cflags --cc "$cc" $3) || exit 1
	hooks="$hooks -g1" # only names and lines: the code is the same, and compiles faster
	mkdir -p "$folder"
	begun=$(date +%s)
	build "$program" >"$folder/build.log" 2>&1 || {
		tap 1 "$name is built by $1 $2 $3"
		tail -5 "$folder/build.log"
		return
	}
	ready=$(date +%s)
	counter=count
	[ "$3" != --entries ] || { counter=count_entries && make_hooks count_entries; } || exit 1
	parts_of "$program" >"$folder/parts"
	for workload in $workloads; do
		what="$name $workload, $1 $2${3:+ $3}"
		run_as plain
		status=$?
		run_as counted "LD_PRELOAD=$real/$counter.so" "COUNT_FILE=$folder/counts" "COUNT_PARTS=$folder/parts" && [ $status = 0 ] && same_output counted
		tap $? "$what runs, and prints the same with a counter"
		[ $counter = count_entries ] || check_profile exact
		check_profile count
	done
	echo "# $name, $1 $2${3:+ $3}: built in $((ready - begun)) s, checked in $(($(date +%s) - ready)) s"
}

make_hooks count -mgeneral-regs-only || exit 1
prepare_program || exit 1
# Each build takes a minute or two of a processor. So without REAL_FULL a program is built in the ways that its file names, if any.
if [ $# = 0 ] && [ -z "${REAL_FULL:-}" ]; then
	for kind in ${builds:-gcc: gcc:--fentry clang:$clang_hooks}; do
		set -- "$@" "${kind%%:*}:-O2:${kind#*:}"
	done
fi
[ $# != 0 ] || for level in -O2 -O1 -O3 -Os; do
	set -- "$@" "gcc:$level:" "gcc:$level:--fentry" "gcc:$level:--entries" "clang:$level:$clang_hooks" "clang:$level:--entries"
	[ -n "$clang_hooks" ] || set -- "$@" "clang:$level:--after-inlining"
done
for build; do
	level=${build#*:}
	check_build "${build%%:*}" "${level%%:*}" "${level#*:}"
done
finish
