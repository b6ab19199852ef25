#!/bin/sh
# SPDX-License-Identifier: MIT
# fronts.sh - compares what three front ends tell of a real program: hooks at the beginnings of functions alone, hooks in pairs, and
# callgrind, which runs the very program that has entries alone.
#
#   tests/real/fronts.sh [NAME [COMPILER:LEVEL...]]
#
# NAME is one of program.sh's. Without any: bzip2, built by gcc at -O2 and clang at -O3; with REAL_FULL=1 also sqlite, tcc and jsoncpp, built by both
# compilers at -O1, -O2 and -O3. clang has no hooks in pairs that see the same functions, so its programs are compared with callgrind alone.
#
#   each function was called as often as callgrind says: as often as the function calls __fentry__; and by each caller as often. (Calls
#   that functions without hooks make have no caller there that can be compared: zprof names the caller of these.)
#   each function was called as often, and by each caller as often, as with hooks in pairs
#
# Tail calls are the exception. Both front ends show a function that another one has jumped to as called by the caller of that one, and
# callgrind as called by the one that jumps. With
# hooks in pairs a function may end before its jump through a part, or keep a call where without them there is a jump. So the calls of an arc
# may differ where gcc has made a jump of the call in one of the programs. These arcs are listed; any other difference fails.
cd "${0%/*}/../.." || exit 2
. tests/lib/callgrind.sh
. tests/lib/build.sh
root=$(pwd)
unset ZPROF_OPTIONS LD_PRELOAD

run_as() { # OUTPUT WORD...
	out=$1
	shift
	traced="$*"
	rm -rf "$folder/run" && mkdir "$folder/run" && (cd "$folder/run" && run "$workload" "$program") >"$out" 2>"$out.errors"
}

# Builds it with an option of `zprof cflags`; sets $program.
build_with() { # OPTION
	folder=$work/fronts-$family$level$1 program=$work/fronts-$family$level$1/$name
	mkdir -p "$folder"
	hooks="$("$ZPROF_BUILD/zprof" cflags --cc "$cc" "$1") -g1 -gdwarf-4" || exit 1 # valgrind cannot read clang's DWARF 5
	build "$program" >"$folder/build.log" 2>&1 || { tail -5 "$folder/build.log" | sed 's/^/# /'; false; }
}

# Lines `NAME...`, with tabs between: the names of a function that has several, because identical functions are one.
aliases_of() { # PROGRAM
	nm -C "$1" | awk '$2 ~ /^[tTwW]$/ { at = $1; sub(/^[^ ]+ [^ ]+ /, ""); names[at] = names[at] (n[at]++ ? "\t" : "") $0 }
		END { for (at in n) if (n[at] > 1) print names[at] }'
}

record() {
	rm -f "$folder/profile"
	run_as "$folder/zprof" setarch -R env "LD_PRELOAD=$ZPROF_BUILD/libzprof.so" "ZPROF_OPTIONS=clock=count,output=$folder/profile" &&
		"$ZPROF_BUILD/zprof" graph --json "$folder/profile" >"$folder/json"
}

# The functions that another one jumps to, or they themselves, to their beginning; with PARTS=1, those that jump to a part of themselves, too.
jumped_to() { # PROGRAM [PARTS]
	objdump -d -C --no-show-raw-insn "$1" | awk -v parts="${2:-}" '
		/^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); next }
		$2 ~ /^j/ && match($0, /<.+>$/) {
			to = substr($0, RSTART + 1, RLENGTH - 2)
			again = to == name
			sub(/\+0x[0-9a-f]+$/, "", to)
			whole = name; sub(/\.(cold|part|isra|constprop).*/, "", whole)
			into = to; sub(/\.(cold|part|isra|constprop).*/, "", into)
			if (again || into != whole || (parts && to != name && to !~ /\.cold/)) print to
		}' | sort -u
}

# The functions that jump to where a register or memory says, but for the jumps of a switch: these go to a sum.
jump_anywhere() { # PROGRAM
	objdump -d -C --no-show-raw-insn "$1" | awk '
		/^[0-9a-f]+ <.*>:$/ { name = $0; sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name); next }
		{ code = $2 == "notrack" ? $3 : $2; target = $2 == "notrack" ? $4 : $3 }
		code == "jmp" && target ~ /^\*/ && (target ~ /\(/ || last !~ "^add .*," substr(target, 2) "$") && target !~ /\(,/ { print name }
		{ last = $2 " " $3 }' | sort -u
}

# From CALLER, CALLEE and CALLS to how often each function calls its hook. clang calls the hook through a stub of the linker, which has no name.
hook_calls() {
	awk -F'\t' '
		{ caller[NR] = $1; callee[NR] = $2; n[NR] = $3 }
		$2 == "__fentry__" && $1 ~ /^0x/ { stub[$1] = 1 }
		END {
			for (i = 1; i <= NR; i++)
				if ((callee[i] == "__fentry__" || callee[i] in stub) && !(caller[i] in stub))
					calls[caller[i]] += n[i]
			for (f in calls)
				print f "\t" calls[f]
		}'
}

check_build() { # COMPILER:LEVEL
	family=${1%%:*} level=${1#*:}
	case $family in gcc) cc=gcc cxx=g++ ;; clang) cc=clang cxx=clang++ ;; esac
	build_with --entries
	tap $? "$name is built by $family $level with entries alone" || return
	entries=$folder entries_program=$program
	jumped_to "$program" >"$entries/jumps" && jumped_to "$program" 1 >"$entries/jumps-of-parts" && jump_anywhere "$program" >"$entries/anywhere" && aliases_of "$program" >"$entries/aliases"
	for workload in $workloads; do
		folder=$entries program=$entries_program what="$name $workload, $family $level"
		record
		tap $? "$what runs with entries alone"
		run_as "$folder/callgrind.out" setarch -R env LD_BIND_NOW=1 "LD_PRELOAD=$real/hooks.so" valgrind -q --tool=callgrind \
			--callgrind-out-file="$folder/callgrind"
		awk -v raw=1 -f tests/real/callgrind_names.awk -f tests/real/callgrind_truth.awk "$folder/callgrind" >"$folder/arcs"
		hook_calls <"$folder/arcs" >"$folder/truth"
		python3 tests/real/fronts.py calls "$folder/json" "$folder/truth" "$folder/aliases" >"$folder/said"
		tap $? "$what: $(cat "$folder/said")"
		python3 tests/real/fronts.py truth "$folder/json" "$folder/arcs" "$folder/jumps-of-parts" "$folder/anywhere" "$folder/aliases" >"$folder/said"
		tap $? "$what: $(head -1 "$folder/said")"
		sed -n '2,$s/^/# /p' "$folder/said"
		[ "$family" = gcc ] || continue
		build_with --fentry && record
		tap $? "$what runs with hooks in pairs"
		jumped_to "$program" | sort -u - "$entries/jumps" >"$folder/jumps"
		python3 tests/real/fronts.py arcs "$entries/json" "$folder/json" "$folder/jumps" "$entries/aliases" >"$folder/said"
		tap $? "$what: $(head -1 "$folder/said")"
		sed -n '2,$s/^/# /p' "$folder/said"
	done
}

check_program() { # NAME [BUILD...]
	name=$1 clang_hooks='' builds=''
	shift
	unset -f prepare
	. "tests/real/programs/$name.sh"
	prepare_program || exit 1
	for kind; do
		check_build "$kind"
	done
}

if [ $# -gt 0 ]; then
	name=$1
	shift
	check_program "$name" "${@:-gcc:-O2}"
else
	check_program bzip2 gcc:-O2 clang:-O3
	for program in ${REAL_FULL:+sqlite tcc jsoncpp}; do
		check_program "$program" gcc:-O2 gcc:-O1 gcc:-O3 clang:-O2 clang:-O1 clang:-O3
	done
fi
finish
